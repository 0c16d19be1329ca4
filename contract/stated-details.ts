/** Which details of a job the customer stated. The forms fill in the others, and the buyer does not see those. */

import { fieldsWith } from "./lead-fields.ts";

/** The details that a form fills in by default, and that a buyer sees. Slopes and pets show only if there are any. */
export const STATED_DETAILS = fieldsWith({ isRecorded: true });
export type StatedDetail = (typeof STATED_DETAILS)[number];

/** The stated details; null or absent when that is not recorded, and then all of them count. */
export type WithStated = { stated?: readonly string[] | null };

/** Returns whether the customer stated a detail. */
export function isStated({ stated }: WithStated, detail: StatedDetail): boolean {
  return stated?.includes(detail) ?? true;
}

/**
 * Returns the details that a form's user stated: they chose one, even its default, or a value other than the default.
 * @param chosen names of fields that the user touched
 */
export function listStated(
  values: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
  chosen: ReadonlySet<string> = new Set(),
): StatedDetail[] {
  return STATED_DETAILS.filter(
    (name) => chosen.has(name) || (values[name] !== undefined && values[name] !== defaults[name]),
  );
}
