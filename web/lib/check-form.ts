import type * as z from "zod/mini";

import { type FieldErrors, fieldErrors } from "../../contract/problem.ts";

/** Values accepted by a contract, or the errors by field. */
export type Checked<Values> = { values: Values; errors: null } | { values: null; errors: FieldErrors };

/** Validates input with a contract's schema, the same in a page's action, an island and the application. */
export function checkForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  typed: unknown,
): Checked<z.output<Schema>> {
  const result = schema.safeParse(typed);
  if (result.success) return { values: result.data, errors: null };
  return { values: null, errors: fieldErrors(result.error.issues) };
}
