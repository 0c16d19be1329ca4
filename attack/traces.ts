/** Recognises a planted trace in any spelling or encoding. */

/** Reduces text to lower-case letters and digits, so that case and separators do not matter. */
export function normalise(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Percent signs, HTML's hexadecimal and decimal references, and the escapes of JSON and JavaScript. */
const ESCAPES =
  /%([0-9a-f]{2})|&#x([0-9a-f]{1,5});?|&#(\d{1,6});?|\\u\{?([0-9a-f]{4,5})\}?|\\x([0-9a-f]{2})/gi;

function unescaped(text: string): string {
  return text.replaceAll(ESCAPES, (_, percent, hex, decimal, unicode, byte) =>
    String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(percent ?? hex ?? unicode ?? byte, 16)),
  );
}

const BASE64 = /[\w+/-]{12,}/g;
const HEX = /(?:[0-9a-f]{2}[ :,-]?){6,}/gi;

/** Decodes runs of base64 and hexadecimal digits in a text. */
function decodedRuns(text: string): string {
  const runs = (pattern: RegExp, encoding: "base64" | "hex") =>
    Array.from(text.matchAll(pattern), ([run]) =>
      Buffer.from(encoding === "hex" ? run.replaceAll(/[ :,-]/g, "") : run, encoding).toString("latin1"),
    );
  return [...runs(BASE64, "base64"), ...runs(HEX, "hex")].join("\n");
}

const reversed = (text: string) => [...text].toReversed().join("");

/**
 * Returns a function that lists the traces in a text: with other separators or capitals, between tags, escaped twice,
 * in base64 or hexadecimal, and any of these reversed.
 */
export function traceFinder(text: string): (traces: readonly string[]) => string[] {
  const read = unescaped(unescaped(text));
  const readings = [read, read.replaceAll(/<[^>]*>/g, ""), decodedRuns(read)].map(normalise);
  const isIn = (trace: string) => readings.some((reading) => reading.includes(trace));
  return (traces) => traces.filter((trace) => isIn(trace) || isIn(reversed(trace)));
}
