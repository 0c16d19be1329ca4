/**
 * `npx node scripts/make-font.ts`: makes web/ui/bricolage.woff2, our headings' font, from the Bricolage Grotesque
 * package. It keeps the characters that our headings need, one optical size and the weights 400 to 800.
 */
import { readFileSync, writeFileSync } from "node:fs";

// @ts-expect-error -- the package has no types
import subsetFont from "subset-font";

import { ROOT } from "../testing/tools.ts";

const PACKAGE = `${ROOT}node_modules/@fontsource-variable/bricolage-grotesque/files/`;
/** The printable part of ASCII, and what else occurs in our texts and in Australian names. */
const CHARACTERS = `${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => index + 32))}‘’“”–—…·²×éèêëáàâäíìîïóòôöøúùûüçñÉ\u00A0`;
/** Entries of a font's name table: copyright, licence and the licence's address. The licence requires them. */
const NOTICES = [0, 13, 14];

const font = await subsetFont(
  readFileSync(`${PACKAGE}bricolage-grotesque-latin-opsz-normal.woff2`),
  CHARACTERS,
  {
    targetFormat: "woff2",
    variationAxes: { opsz: 24, wght: { min: 400, max: 800 } },
    preserveNameIds: NOTICES,
  },
);
writeFileSync(`${ROOT}web/ui/bricolage.woff2`, font);
console.log(`${font.length} bytes`);
