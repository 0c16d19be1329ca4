import { formatSuburb, replaceSuburb } from "../../contract/address.ts";
import type { SuburbSuggestion } from "../../contract/suburbs.ts";
import { formatSuburbLine } from "./address-source.ts";

/**
 * Shows an address's candidate suburbs as buttons. Before or without the script, a
 * button posts the form with the completed address. That does not send the request yet.
 * @param address the field's value when the page is rendered
 */
export function SuburbChoices({
  suburbs,
  address,
  onChoose,
  onNone,
}: {
  suburbs: readonly SuburbSuggestion[];
  address: string;
  onChoose: (suburb: SuburbSuggestion) => void;
  /** Handles "None of these", which ends the list. */
  onNone: () => void;
}) {
  if (suburbs.length === 0) return null;
  const [{ elsewhere, near, ...first }] = suburbs as [SuburbSuggestion];
  return (
    <fieldset className="suburb-choices" aria-label="Which suburb?">
      {elsewhere && (
        <p>
          {formatSuburb(first)}
          {near && ` near ${near}`}? Or are you in {elsewhere}?
        </p>
      )}
      {/* Enter in a field presses the form's first button. Put a hidden one here, so that it is not a suburb. */}
      <button className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      {suburbs.map((suburb) => (
        <button
          key={formatSuburb(suburb)}
          className="button button--quiet"
          name="chosenAddress"
          value={replaceSuburb(address, suburb)}
          formNoValidate
          onClick={(event) => {
            event.preventDefault();
            onChoose(suburb);
          }}
        >
          {suburb.name} <span>{formatSuburbLine(suburb, suburbs)}</span>
        </button>
      ))}
      <button
        className="button button--quiet"
        name="chosenAddress"
        value=""
        formNoValidate
        onClick={(event) => {
          event.preventDefault();
          onNone();
        }}
      >
        None of these
      </button>
    </fieldset>
  );
}
