/** Values of a text's `{{name}}`. A falsy value hides `{{#name}}a part{{/name}}`. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Without its part, one of these would be an empty line. */
const EMPTY = /<(li|p)>\s*<\/\1>/g;

/**
 * Fills in a text that scripts/markdown-plugin.ts has compiled.
 * @throws if a fact is missing
 */
export function fillText(html: string, facts: Facts): string {
  const read = (name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`The text needs a fact for {{${name}}}`);
    return fact;
  };
  const showParts = (text: string): string =>
    text.replaceAll(/\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}/gs, (_, name: string, part: string) =>
      read(name) ? showParts(part) : "",
    );
  return showParts(html)
    .replaceAll(EMPTY, "")
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
      String(read(name)).replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!),
    );
}
