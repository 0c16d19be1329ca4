const format = new Intl.ListFormat("en-AU");

/** Joins service names for a sentence: "lawn mowing, and hedge and tree trimming". */
export function joinServices(names: readonly string[]): string {
  const joined = format.format(names);
  const last = ` and ${names.at(-1)}`;
  const needsComma = names.length > 1 && names.some((name) => name.includes(" and "));
  return needsComma ? `${joined.slice(0, -last.length)},${last}` : joined;
}
