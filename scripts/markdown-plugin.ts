/** Compiles Markdown to HTML at build time, so that neither the Worker nor a browser needs a parser. */
import { parse } from "marked";
import type { Plugin } from "vite";

/** Returns HTML. `{{name}}` stays for `web/site/fill-text.ts`, also in a link's address. */
export function toHtml(markdown: string): string {
  return parse(markdown, { async: false })
    .replaceAll(/%7B%7B(\w+)%7D%7D/g, "{{$1}}")
    .replaceAll("&#39;", "'")
    .replaceAll(/(?<=>)\n(?=<)/g, "")
    .trim();
}

export function markdown(): Plugin {
  return {
    name: "markdown",
    transform(code, id) {
      if (!id.endsWith(".md")) return null;
      return { code: `export default ${JSON.stringify(toHtml(code))};`, moduleType: "js", map: null };
    },
  };
}
