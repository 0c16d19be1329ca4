/**
 * A posted form as the object our schemas check, the same in the browser and on the server.
 * @param form the form's data
 * @param shape names of fields that are lists (checkbox groups) and flags (single checkboxes)
 * @returns one entry per field; lists and flags are always there, empty texts stay empty texts
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
