/**
 * Converts a posted form to the object that our schemas validate, in the browser and on the server.
 * @param shape names of fields that are lists (checkbox groups) and flags (single checkboxes)
 * @returns one entry per field; lists and flags are always present, empty texts stay empty
 */
export function formToObject(
  form: FormData,
  shape: { lists?: readonly string[]; flags?: readonly string[] } = {},
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [name, value] of form) {
    if (typeof value === "string") object[name] = value;
  }
  for (const name of shape.lists ?? []) {
    object[name] = form.getAll(name).filter((value) => typeof value === "string");
  }
  for (const name of shape.flags ?? []) object[name] = form.get(name) === "on";
  return object;
}
