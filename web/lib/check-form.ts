import type * as z from "zod/mini";

import { type FieldErrors, fieldErrors } from "../../contract/problem.ts";

/** The values that a schema accepted, or the errors by field. */
export type Checked<Values> = { values: Values; errors: null } | { values: null; errors: FieldErrors };

/** Validates input with a contract's schema. Page actions, islands and the application share this function. */
export function checkForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  typed: unknown,
): Checked<z.output<Schema>> {
  const result = schema.safeParse(typed);
  if (result.success) return { values: result.data, errors: null };
  return { values: null, errors: fieldErrors(result.error.issues) };
}
