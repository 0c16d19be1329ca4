/** Returns the exclusive upper bound of all strings with this prefix, for a range of an index. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
