/**
 * `npm run likeness`: measures how similar the indexable suburb pages are, in the production build and without the
 * specification's claims, as a new deployment shows them. Takes every nth page and compares every pair. Fails if the
 * likeness of the median pair exceeds 0.55, or if a sentence with a figure is the same on more than 30 % of the pages.
 *
 * `--pages=120` sets the number of pages to compare. `--built` uses the existing build. `--facts=30` prints
 * the sentences about the lawns of 30 suburbs with their sources, and measures nothing.
 */
import { readFileSync } from "node:fs";

import { startProduct } from "../testing/product/product.ts";
import { run, step } from "../testing/tools.ts";
import { lawnFacts, SOURCES } from "../web/suburbs/local-climate.ts";
import { main, readArguments } from "./command.ts";
import {
  at,
  extractSuburbShingles,
  figureSentences,
  likenessIndex,
  MAX_LIKENESS,
  MAX_SENTENCE_SHARE,
  sentenceCounts,
} from "./likeness-rules.ts";

/** Prints each sentence about the lawns of every nth suburb, with its sources. */
function printFacts(count: number): void {
  const lines = readFileSync(new URL("../data/nsw-suburbs.csv", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const suburbs = lines.slice(1).map((line) => line.split(","));
  for (let i = 0; i < count; i += 1) {
    const [slug, name, postcode] = suburbs[Math.floor((i * suburbs.length) / count)]!;
    for (const { term, sentences } of lawnFacts({ slug: slug!, postcode: postcode! }))
      for (const { text, sources } of sentences)
        console.log([name, term, text, sources.map((source) => SOURCES[source]).join("; ")].join(" | "));
  }
}

type Listed = { slug: string; council: string };

await main(async () => {
  const options = readArguments({
    name: "likeness",
    options: { pages: "text", built: "flag", facts: "text" },
  });
  const facts = Number(options.option("facts") ?? 0);
  if (facts > 0) return printFacts(facts);
  if (!options.hasFlag("built"))
    await step("building", () => run("react-router", ["build", "--logLevel", "warn"]));
  const product = await startProduct({ SAMPLE_CLAIMS: "off" }, null);
  try {
    const listed = (await (await fetch(`${product.url}/api/suburbs/listed`)).json()) as Listed[];
    const count = Math.min(listed.length, Number(options.option("pages") ?? 120));
    const chosen = Array.from({ length: count }, (_, i) => listed[Math.floor((i * listed.length) / count)]!);
    const index = likenessIndex();
    const sentences = sentenceCounts();
    for (const { slug, council } of chosen) {
      const html = await (await fetch(`${product.url}/location/${slug}`)).text();
      index.add(extractSuburbShingles(html, council));
      sentences.add(figureSentences(html, council));
    }
    const { pairs } = index.compare();
    const [least, fifth, median, most, max] = [0, 0.05, 0.5, 0.95, 1].map((share) =>
      at(pairs, share).toFixed(3),
    );
    console.log(
      `${count} of ${listed.length} listed pages, ${pairs.length} pairs, names masked: median ${median} alike (aim ${MAX_LIKENESS}), ` +
        `5 % below ${fifth}, 5 % above ${most}, least ${least}, most ${max}`,
    );
    const shares = sentences.shares();
    console.log("The most common sentences with a figure, except those of the specification:");
    for (const { sentence, share } of shares.slice(0, 5))
      console.log(`  ${Math.round(share * 100)} % of pages: ${sentence}`);
    const common = shares.filter(({ share }) => share > MAX_SENTENCE_SHARE);
    if (common.length > 0)
      throw new Error(
        `${common.length} sentences with a figure are the same on more than ${MAX_SENTENCE_SHARE * 100} % of pages.`,
      );
    if (Number(median) > MAX_LIKENESS)
      throw new Error(`The likeness of the median pair of pages exceeds ${MAX_LIKENESS}.`);
  } finally {
    await product.stop();
  }
});
