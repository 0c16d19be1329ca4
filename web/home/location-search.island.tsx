import { useAddressCombobox } from "../addresses/use-address-combobox.tsx";
import { FormIcon } from "../ui/icon.tsx";
import type { MapsSource } from "../addresses/address-source.ts";

const ID = "search-address";

/**
 * Shows the first field of a quote: an address or postcode. The button sends it to the quote form. `documents/document.ts`
 * enables the button, before and after hydration.
 */
export default function LocationSearch({ maps }: { maps: MapsSource | null }) {
  const { inputProps, list } = useAddressCombobox(ID, maps, {
    // The quote form takes the typed text, and asks for the suburb if it needs one.
    ask: () => inputProps.ref.current!.form!.requestSubmit(),
  });
  return (
    <search>
      <form className="search" action="/get-quote" method="get" data-require-text="">
        <label className="visually-hidden" htmlFor={ID}>
          Your address or postcode
        </label>
        <span className="search__box combobox">
          <FormIcon name="pin" />
          <input
            id={ID}
            name="address"
            type="text"
            required
            pattern=".*\S.*"
            maxLength={200}
            placeholder="Enter your address or postcode..."
            autoComplete={maps ? "off" : "address-line1"}
            enterKeyHint="search"
            {...inputProps}
          />
          {list}
        </span>
        <button className="button button--main" type="submit">
          Search
        </button>
      </form>
    </search>
  );
}
