import type { ComponentPropsWithRef } from "react";

import { FieldErrorsContext } from "./field.tsx";

/** A form. Each field in it shows its own error. @param errors the messages by field name */
export function Form({
  errors,
  children,
  ...form
}: ComponentPropsWithRef<"form"> & { errors: Readonly<Record<string, string | undefined>> }) {
  return (
    <form {...form}>
      <FieldErrorsContext value={errors}>{children}</FieldErrorsContext>
    </form>
  );
}
