/** A small mistake made on purpose in a source file. */
export type Mutant = {
  /** What goes wrong with it, in a sentence. */
  name: string;
  /** From the project's root. */
  file: string;
  /** The text it replaces; it stands in the file exactly once. */
  find: string;
  put: string;
};

/**
 * A source with the mistake in it.
 * @throws Error when the text that is to be replaced does not stand in it exactly once
 */
export function mutate(source: string, { name, file, find, put }: Mutant): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`"${name}" fits ${count} places of ${file}: write it anew.`);
  return source.replace(find, () => put);
}
