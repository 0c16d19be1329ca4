import { MAX_PHONE_LENGTH } from "../../contract/phone.ts";
import { EmailTextField } from "../ui/email-field.tsx";
import { TextField } from "../ui/field.tsx";

/** A field's name in the form, its previous value and its error. */
export type FieldState = { name: string; defaultValue: string; error: string | undefined };

export function NameField(field: FieldState) {
  return (
    <TextField
      {...field}
      label="Name"
      autoComplete="name"
      autoCapitalize="words"
      enterKeyHint="next"
      maxLength={100}
      required
    />
  );
}

/** Shows a field for the number that the provider will call. */
export function PhoneField(field: FieldState) {
  return (
    <TextField
      {...field}
      label="Phone"
      type="tel"
      autoComplete="tel"
      enterKeyHint="next"
      maxLength={MAX_PHONE_LENGTH}
      required
    />
  );
}

/** Shows a field for the visitor's email address, which some forms do not require. */
export function EmailField({ required = false, ...field }: FieldState & { required?: boolean }) {
  return <EmailTextField {...field} enterKeyHint="next" maxLength={254} required={required} />;
}
