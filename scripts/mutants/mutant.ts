/** A deliberate small mistake in a source file. */
export type Mutant = {
  /** What the mistake breaks, in a sentence. */
  name: string;
  /** Path from the project root. */
  file: string;
  /** The text to replace. It must occur in the file exactly once. */
  find: string;
  put: string;
};

/**
 * Returns the source with the mistake applied.
 *
 * @throws Error if the text to replace does not occur exactly once
 */
export function mutate(source: string, { name, file, find, put }: Mutant): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`"${name}" matches ${count} places in ${file}: rewrite it.`);
  return source.replace(find, () => put);
}
