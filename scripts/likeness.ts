/**
 * `npm run likeness`: measures how similar the indexable suburb pages are, in the production build. Takes
 * every nth page and compares every pair. Fails if the likeness of the median pair exceeds 0.6.
 *
 * `--pages=120` sets the number of pages to compare. `--built` uses the existing build.
 */
import { startProduct } from "../testing/product/product.ts";
import { run, step } from "../testing/tools.ts";
import { main, readArguments } from "./command.ts";
import { at, likenessIndex, MAX_LIKENESS, extractSuburbShingles } from "./likeness-rules.ts";

type Listed = { slug: string; council: string };

await main(async () => {
  const options = readArguments({ name: "likeness", options: { pages: "text", built: "flag" } });
  if (!options.hasFlag("built"))
    await step("building", () => run("react-router", ["build", "--logLevel", "warn"]));
  const product = await startProduct({}, null);
  try {
    const listed = (await (await fetch(`${product.url}/api/suburbs/listed`)).json()) as Listed[];
    const count = Math.min(listed.length, Number(options.option("pages") ?? 120));
    const chosen = Array.from({ length: count }, (_, i) => listed[Math.floor((i * listed.length) / count)]!);
    const index = likenessIndex();
    for (const { slug, council } of chosen)
      index.add(
        extractSuburbShingles(await (await fetch(`${product.url}/location/${slug}`)).text(), council),
      );
    const { pairs } = index.compare();
    const [least, fifth, median, most, max] = [0, 0.05, 0.5, 0.95, 1].map((share) =>
      at(pairs, share).toFixed(3),
    );
    console.log(
      `${count} of ${listed.length} listed pages, ${pairs.length} pairs, names masked: median ${median} alike (aim ${MAX_LIKENESS}), ` +
        `5 % below ${fifth}, 5 % above ${most}, least ${least}, most ${max}`,
    );
    if (Number(median) > MAX_LIKENESS)
      throw new Error(`The likeness of the median pair of pages exceeds ${MAX_LIKENESS}.`);
  } finally {
    await product.stop();
  }
});
