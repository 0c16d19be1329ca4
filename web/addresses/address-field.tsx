import { type ReactNode, useEffect, useState } from "react";

import { UNCLEAR_SUBURB, replaceSuburb } from "../../contract/address.ts";
import type { SuburbSuggestion } from "../../contract/suburbs.ts";
import { controlProps, FieldFrame } from "../ui/field.tsx";
import { useAddressCombobox } from "./use-address-combobox.tsx";
import { HINTS, PLACEHOLDERS } from "./use-address-source.ts";
import type { MapsSource } from "./address-source.ts";
import { lookUpPlace } from "./look-up-place.ts";
import { SuburbChoices } from "./suburb-choices.tsx";

const NONE: readonly SuburbSuggestion[] = [];

/**
 * Shows an address field with suggestions. Before or without the script it is a plain text field. With Google's
 * suggestions, the visitor must choose a place. With our own list, the field accepts any text with a known suburb.
 * @param suburbs the candidates from the server
 */
export function AddressField({
  name,
  label,
  defaultValue,
  error,
  maps,
  suburbs: given,
}: {
  name: string;
  label: ReactNode;
  defaultValue: string;
  error: string | undefined;
  maps: MapsSource | null;
  suburbs?: readonly SuburbSuggestion[] | undefined;
}) {
  const { state, isSettled, setAddress, inputProps, list } = useAddressCombobox(name, maps);
  const [suburbs, setSuburbs] = useState(given ?? NONE);
  const frame = { name, label, error, hint: HINTS[state], required: true };

  useEffect(() => {
    const form = inputProps.ref.current?.form;
    const removeFromFormData = ({ formData }: FormDataEvent) => {
      if (!isSettled()) formData.set(name, "");
    };
    form?.addEventListener("formdata", removeFromFormData);
    return () => form?.removeEventListener("formdata", removeFromFormData);
  });

  useEffect(() => {
    if (error !== UNCLEAR_SUBURB) return;
    let isWanted = true;
    void lookUpPlace(inputProps.ref.current!.value).then(
      (place) => isWanted && setSuburbs(place?.suggestions ?? NONE),
    );
    return () => {
      isWanted = false;
    };
    // Runs once per error.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [error]);

  return (
    <FieldFrame {...frame}>
      <div className="combobox">
        <input
          className="input"
          autoComplete={maps ? "off" : "street-address"}
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
      />
    </FieldFrame>
  );
}
