import { formatSuburb, withSuburb } from "../../contract/address.ts";
import type { SuburbSuggestion } from "../../contract/suburbs.ts";
import { placeLine } from "./address-source.ts";

/**
 * The suburbs an address may be in, to be chosen with one touch. Without script each of them posts the form
 * with the address completed; nothing is sent for good by that.
 * @param address what stands in the field when the page is made
 */
export function SuburbChoices({
  suburbs,
  address,
  onChoose,
}: {
  suburbs: readonly SuburbSuggestion[];
  address: string;
  onChoose: (suburb: SuburbSuggestion) => void;
}) {
  if (suburbs.length === 0) return null;
  return (
    <fieldset className="suburb-choices" aria-label="Which suburb?">
      {/* Enter in a field presses the first button of a form: not one of these. */}
      <button className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      {suburbs.map((suburb) => (
        <button
          key={formatSuburb(suburb)}
          className="button button--quiet"
          name="chosenAddress"
          value={withSuburb(address, suburb)}
          formNoValidate
          onClick={(event) => {
            event.preventDefault();
            onChoose(suburb);
          }}
        >
          {suburb.name} <span>{placeLine(suburb, suburbs)}</span>
        </button>
      ))}
    </fieldset>
  );
}
