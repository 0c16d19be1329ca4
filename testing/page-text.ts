/** The text of a document, as its visitors and search engines read it. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#x27": "'",
  nbsp: " ",
};

export const decode = (html: string) =>
  html.replaceAll(/&(amp|lt|gt|quot|#x27|nbsp);/g, (_, name: string) => ENTITIES[name]!);

/** Elements within a sentence. All others end it. */
const INLINE = /<\/?(?:a|abbr|b|br|code|em|i|small|span|strong|sub|sup|time)\b[^>]*>/g;

/** Returns the text blocks of a page: its title, its description, and each paragraph, heading, item and cell. */
export function textBlocks(html: string): string[] {
  const meta = [...html.matchAll(/<meta (?:name|property)="(?:description|og:[a-z:]+)" content="([^"]*)"/g)];
  const labels = [...html.matchAll(/ (?:aria-label|placeholder|alt|title)="([^"]*)"/g)];
  const text = html
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/<(script|style|svg|select)\b.*?<\/\1>/gs, " ")
    .replaceAll(INLINE, " ")
    .replaceAll(/<[^>]+>/g, "\n");
  const blocks = [
    ...meta.map(([, content]) => content!),
    ...labels.map(([, label]) => label!),
    ...text.split("\n"),
  ];
  return [...new Set(blocks.map((block) => decode(block).replaceAll(/\s+/g, " ").trim()))].filter(Boolean);
}
