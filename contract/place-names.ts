/** Matches the spellings of suburb names. */

const SHORT: Readonly<Record<string, string>> = {
  mt: "mount",
  n: "north",
  nth: "north",
  s: "south",
  sth: "south",
  e: "east",
  w: "west",
  saint: "st",
  hts: "heights",
  gdns: "gardens",
  bch: "beach",
  ck: "creek",
  crk: "creek",
  hbr: "harbour",
  vly: "valley",
  upr: "upper",
  lwr: "lower",
};

/** Spells out abbreviations: "mt druitt" becomes "mount druitt", "pt macquarie" becomes "port macquarie". */
export function spellOut(words: readonly string[]): string[] {
  return words.map((word, i) => {
    if (word === "pt") return i + 1 < words.length ? "port" : "point";
    return SHORT[word] ?? word;
  });
}

/**
 * Returns one key for all spellings of a place: "Mt Saint Thomas" and "Mount St Thomas", "O’Connell" and "OConnell",
 * "Brighton-le-Sands" and "brighton le sands".
 */
export function placeKey(name: string): string {
  return spellOut(
    name
      .toLowerCase()
      .replaceAll(/['’]/g, "")
      .match(/[a-z0-9]+/g) ?? [],
  ).join(" ");
}

/** Returns the key of a name that is still being typed. A last letter of its own may begin any word. */
export function startKey(typed: string): string {
  const [, before = "", letter] = /^(.*\s)?([a-z])$/i.exec(typed.trim()) ?? [];
  return letter ? `${placeKey(before)} ${letter.toLowerCase()}`.trim() : placeKey(typed);
}
