import { TextField } from "../ui/field.tsx";

/** What a field shows: its name in the form, its value when it was sent before, what is wrong with it. */
export type FieldState = { name: string; defaultValue: string; error: string | undefined };

/** Who asks. */
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

/** The number the provider calls. */
export function PhoneField(field: FieldState) {
  return (
    <TextField
      {...field}
      label="Phone"
      type="tel"
      autoComplete="tel"
      enterKeyHint="next"
      maxLength={30}
      required
    />
  );
}

/** An address to write to; some forms can do without. */
export function EmailField({ required = false, ...field }: FieldState & { required?: boolean }) {
  return (
    <TextField
      {...field}
      label="Email"
      type="email"
      autoComplete="email"
      enterKeyHint="next"
      maxLength={254}
      required={required}
    />
  );
}
