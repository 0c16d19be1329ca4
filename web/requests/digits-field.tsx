import { TextField } from "../ui/field.tsx";

/** The values of a posted form that was not saved, by field. */
export type TypedForm = Record<string, string>;

/** The length that the browser enforces, as the schema does. */
const DIGITS = 4;

/** Returns the field's name in a form. Each form has its own, because the page uses the names as IDs. */
export const digitsName = (intent: string) => `${intent}Digits`;

/** The proof that the customer writes: the last digits of the number on the request. */
export function DigitsField({
  intent,
  typed,
  error,
}: {
  intent: string;
  typed: string | undefined;
  error: string | undefined;
}) {
  return (
    <TextField
      name={digitsName(intent)}
      label="Last four digits of the number on this request"
      hint="So that only you can do this."
      defaultValue={error ? undefined : typed}
      error={error}
      inputMode="numeric"
      autoComplete="off"
      maxLength={DIGITS}
      required
    />
  );
}
