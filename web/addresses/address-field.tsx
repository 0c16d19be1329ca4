import { type ReactNode, useEffect } from "react";

import { controlProps, FieldFrame } from "../ui/field.tsx";
import { useAddressCombobox } from "./use-address-combobox.tsx";
import { HINTS, PLACEHOLDERS } from "./use-address-source.ts";
import type { MapsSource } from "./address-source.ts";

/**
 * An address, completed while it is typed. Before its code arrives and without script it is a plain text
 * field. With Google's suggestions only a place that was chosen is sent; without them, free text is.
 */
export function AddressField({
  name,
  label,
  defaultValue,
  error,
  maps,
}: {
  name: string;
  label: ReactNode;
  defaultValue: string;
  error: string | undefined;
  maps: MapsSource | null;
}) {
  const { state, isSettled, inputProps, list } = useAddressCombobox(name, maps);
  const frame = { name, label, error, hint: maps && HINTS[state], required: true };

  useEffect(() => {
    const form = inputProps.ref.current?.form;
    const leaveOut = ({ formData }: FormDataEvent) => {
      if (!isSettled()) formData.set(name, "");
    };
    form?.addEventListener("formdata", leaveOut);
    return () => form?.removeEventListener("formdata", leaveOut);
  });

  return (
    <FieldFrame {...frame}>
      <div className="combobox">
        <input
          className="input"
          autoComplete={maps ? "off" : "street-address"}
          maxLength={200}
          placeholder={PLACEHOLDERS[state]}
          defaultValue={defaultValue}
          {...controlProps(frame)}
          {...inputProps}
        />
        {list}
      </div>
    </FieldFrame>
  );
}
