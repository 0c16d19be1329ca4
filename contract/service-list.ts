const format = new Intl.ListFormat("en-AU");

/** Joins service names for a sentence: "Lawn mowing, and hedge and tree trimming". */
export function joinServices(services: readonly string[]): string {
  const names = services.map((name, index) =>
    index === 0 ? name : name.slice(0, 1).toLowerCase() + name.slice(1),
  );
  const joined = format.format(names);
  const last = ` and ${names.at(-1)}`;
  const needsComma = names.length > 1 && names.some((name) => name.includes(" and "));
  return needsComma ? `${joined.slice(0, -last.length)},${last}` : joined;
}
