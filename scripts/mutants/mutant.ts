/** A deliberate small mistake in a source file. */
export type Mutant = {
  /** What the mistake breaks, in a sentence. */
  name: string;
  /** Path from the project's root. */
  file: string;
  /** The text it replaces; it occurs in the file exactly once. */
  find: string;
  put: string;
};

/**
 * Returns a source with the mistake in it.
 *
 * @throws Error when the text to replace does not occur exactly once
 */
export function mutate(source: string, { name, file, find, put }: Mutant): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`"${name}" fits ${count} places of ${file}: write it anew.`);
  return source.replace(find, () => put);
}
