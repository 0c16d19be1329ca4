/**
 * `npx node scripts/make-glyphs.ts path/to/font.ttf`: extracts letter outlines, so that drawing a share picture needs no
 * font. Made from Liberation Sans Bold (SIL Open Font License 1.1).
 */
import { readFileSync, writeFileSync } from "node:fs";

import { parse } from "opentype.js";

import { ROOT } from "../testing/tools.ts";

/** The printable part of ASCII, punctuation, and the Latin letters that are not a plain letter with an accent. */
const CHARACTERS = `${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => index + 32))}‘’“”–—•ÆæŒœØøÐðĐđŁłÞþßı`;
/** Combining accents, and the characters with their outlines. */
const ACCENTS = {
  "\u0300": "`",
  "\u0301": "´",
  "\u0302": "ˆ",
  "\u0303": "˜",
  "\u0304": "ˉ",
  "\u0306": "˘",
  "\u0307": "˙",
  "\u0308": "¨",
  "\u030A": "˚",
  "\u030B": "˝",
  "\u030C": "ˇ",
  "\u031B": "’",
  "\u0323": ".",
  "\u0327": "¸",
  "\u0328": "˛",
};
/** How far these characters are moved down as accents, in units: the dot below a letter, and the horn beside it. */
const MOVED_DOWN: Readonly<Record<string, number>> = { ".": 200, "’": 100 };
/** Outlines are rounded to whole units of this square. The error is invisible at the sizes we draw. */
const UNITS_PER_EM = 1000;

/** Returns a star of five points, as tall as a capital letter. The font has none. */
function drawStar() {
  const corners = Array.from({ length: 10 }, (_, index) => {
    const radius = index % 2 === 0 ? 400 : 160;
    const angle = (index * Math.PI) / 5;
    return `${Math.round(400 + radius * Math.sin(angle))} ${Math.round(-360 - radius * Math.cos(angle))}`;
  });
  return { advance: 800, path: `M${corners.join("L")}Z` };
}

const [file] = process.argv.slice(2);
if (!file) throw new Error("Give the path of the font file.");
const { buffer, byteOffset, byteLength } = readFileSync(file);
const font = parse(buffer.slice(byteOffset, byteOffset + byteLength));

/** @param down how far to move the outline down, in units */
function extract(character: string, down = 0) {
  const glyph = font.charToGlyph(character);
  if (glyph.index === 0) throw new Error(`The font has no ${character}.`);
  const advance = Math.round(((glyph.advanceWidth ?? 0) * UNITS_PER_EM) / font.unitsPerEm);
  return { advance, path: glyph.getPath(0, down, UNITS_PER_EM).toPathData(0) };
}

const glyphs = Object.fromEntries([
  ...[...CHARACTERS].map((character) => [character, extract(character)] as const),
  ...Object.entries(ACCENTS).map(
    ([accent, character]) => [accent, extract(character, MOVED_DOWN[character])] as const,
  ),
  ["★", drawStar()] as const,
]);
writeFileSync(`${ROOT}data/share-glyphs.json`, `${JSON.stringify(glyphs)}\n`);
