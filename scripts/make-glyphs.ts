/**
 * `npx node scripts/make-glyphs.ts path/to/font.ttf`: extracts letter outlines, so that drawing a suburb's
 * share image needs no font. Made from Liberation Sans Bold (SIL Open Font License 1.1).
 */
import { readFileSync, writeFileSync } from "node:fs";

import { parse } from "opentype.js";

import { ROOT } from "../testing/tools.ts";

/** Every character that occurs in a suburb's name, a postcode or a price. */
const CHARACTERS = " ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'’&-.,$()/";
/** Outlines are rounded to whole units of this square. The error is invisible at the sizes we draw. */
const UNITS_PER_EM = 1000;

const [file] = process.argv.slice(2);
if (!file) throw new Error("Give the path of the font file.");
const { buffer, byteOffset, byteLength } = readFileSync(file);
const font = parse(buffer.slice(byteOffset, byteOffset + byteLength));
const glyphs: Record<string, { advance: number; path: string }> = {};
for (const sign of CHARACTERS) {
  const glyph = font.charToGlyph(sign);
  const advance = Math.round(((glyph.advanceWidth ?? 0) * UNITS_PER_EM) / font.unitsPerEm);
  glyphs[sign] = { advance, path: glyph.getPath(0, 0, UNITS_PER_EM).toPathData(0) };
}
writeFileSync(`${ROOT}data/share-glyphs.json`, `${JSON.stringify(glyphs)}\n`);
