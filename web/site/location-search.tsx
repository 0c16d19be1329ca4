import { Icon } from "../ui/icon.tsx";
import { DocumentScript } from "./document-script.tsx";

/** The one-line start of a quote: an address or postcode, taken along to the form. */
export function LocationSearch() {
  return (
    <search>
      <DocumentScript />
      <form className="search" action="/get-quote" method="get" data-require-text="">
        <label className="visually-hidden" htmlFor="search-address">
          Your address or postcode
        </label>
        <span className="search__box">
          <Icon name="pin" />
          <input
            id="search-address"
            name="address"
            type="text"
            required
            pattern=".*\S.*"
            maxLength={200}
            placeholder="Enter your address or postcode..."
            autoComplete="street-address"
            enterKeyHint="search"
          />
        </span>
        <button className="button" type="submit">
          Search
        </button>
      </form>
    </search>
  );
}
