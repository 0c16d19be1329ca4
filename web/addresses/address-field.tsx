import { type ReactNode, useEffect, useRef, useState } from "react";

import { replaceSuburb, UNCLEAR_SUBURB } from "../../contract/address.ts";
import type { SuburbSuggestion } from "../../contract/suburbs.ts";
import { controlProps, FieldFrame, TextField } from "../ui/field.tsx";
import { useAddressCombobox } from "./use-address-combobox.tsx";
import { HINTS, PLACEHOLDERS } from "./use-address-source.ts";
import type { MapsSource } from "./address-source.ts";
import { SuburbChoices } from "./suburb-choices.tsx";

const NONE: readonly SuburbSuggestion[] = [];

/**
 * Returns the props of a field beside the address. The field is shown only if it has a value or the visitor needs it, so
 * it is not marked as optional. The placeholder lets the style sheet see whether it is empty.
 */
const placeField = (name: string, value: unknown, isShown: boolean) => ({
  name,
  optional: false,
  defaultValue: typeof value === "string" ? value : "",
  placeholder: " ",
  tabIndex: isShown ? undefined : -1,
  error: undefined,
});

/**
 * Shows an address field with suggestions. Before or without the script it is a plain text field. It
 * accepts any text with a known suburb, chosen from a list or typed.
 * @param suburbs the candidates from the server's last answer
 * @param values the form's values; `asksPlace` after "None of these"
 */
export function AddressField({
  name,
  label,
  defaultValue,
  error,
  maps,
  suburbs: given = NONE,
  values,
}: {
  name: string;
  label: ReactNode;
  defaultValue: string;
  error: string | undefined;
  maps: MapsSource | null;
  suburbs?: readonly SuburbSuggestion[] | undefined;
  values: Record<string, unknown>;
}) {
  const { asksPlace, addressSuburb, addressPostcode } = values;
  const [suburbs, setSuburbs] = useState(given);
  const [showsPlace, setShowsPlace] = useState(Boolean(asksPlace || addressSuburb || addressPostcode));
  const apart = useRef<HTMLDivElement>(null);
  const placeInputs = () => [...(apart.current?.querySelectorAll("input") ?? [])];
  const askPlace = () => {
    setSuburbs(NONE);
    setShowsPlace(true);
    placeInputs()[0]?.focus();
  };
  const clearPlace = () => {
    for (const input of placeInputs()) input.value = "";
  };
  const { state, setAddress, inputProps, list } = useAddressCombobox(name, maps, {
    ask: askPlace,
    clear: clearPlace,
  });
  const frame = { name, label, error, hint: HINTS[state], required: true };

  useEffect(() => {
    setSuburbs(given);
    if (error === UNCLEAR_SUBURB && given.length === 0) setShowsPlace(true);
    // Runs once per answer.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [given]);

  const showFilled = () => {
    if (placeInputs().some(({ value }) => value !== "")) setShowsPlace(true);
  };
  // After the form has restored its draft.
  useEffect(() => void setTimeout(showFilled), []);

  return (
    <>
      <FieldFrame {...frame}>
        <div className="combobox">
          <input
            className="input"
            autoComplete={maps ? "off" : "address-line1"}
            autoCapitalize="words"
            enterKeyHint="next"
            maxLength={200}
            placeholder={PLACEHOLDERS[state]}
            defaultValue={defaultValue}
            {...controlProps(frame)}
            {...inputProps}
          />
          {list}
        </div>
        <SuburbChoices
          suburbs={suburbs}
          address={defaultValue}
          onChoose={(suburb) => {
            setAddress(replaceSuburb(inputProps.ref.current!.value, suburb));
            setSuburbs(NONE);
          }}
          onNone={askPlace}
        />
      </FieldFrame>
      {/* Out of sight until autofill or the visitor fills it: autofill puts only the street into the first field. */}
      <div
        className="pair address-place"
        ref={apart}
        aria-hidden={showsPlace ? undefined : true}
        onInput={showFilled}
      >
        <TextField
          {...placeField("addressSuburb", addressSuburb, showsPlace)}
          label="Suburb"
          autoComplete="address-level2"
          maxLength={60}
        />
        <TextField
          {...placeField("addressPostcode", addressPostcode, showsPlace)}
          label="Postcode"
          autoComplete="postal-code"
          inputMode="numeric"
          maxLength={4}
        />
      </div>
    </>
  );
}
