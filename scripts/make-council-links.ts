/**
 * Writes `data/council-links.json`: each council's nearest councils and its indexable suburbs. Run it by hand
 * after `data/nsw-suburbs.csv` changes:
 *
 * npx node scripts/make-council-links.ts
 */
import { readFileSync, writeFileSync } from "node:fs";

import { councilLinks } from "./council-links.ts";

const here = (path: string) => new URL(`../data/${path}`, import.meta.url);
const links = councilLinks(readFileSync(here("nsw-suburbs.csv"), "utf8"));
// One council per line, so that diffs are short.
const lines = Object.entries(links).map(
  ([name, council]) => `${JSON.stringify(name)}: ${JSON.stringify(council)}`,
);
writeFileSync(here("council-links.json"), `{\n${lines.join(",\n")}\n}\n`);
console.log(`${lines.length} councils`);
