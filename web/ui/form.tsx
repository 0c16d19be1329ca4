import type { ComponentPropsWithRef } from "react";

import { FieldErrorsContext } from "./field.tsx";

/** A form whose fields show their own errors. @param errors by field */
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
