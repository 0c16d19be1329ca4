/** The commands of docs/operations.md, run as they stand there but on this machine, against a running product. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type LocalProduct, startLocalProduct } from "../../testing/product/local-product.ts";
import { LOCAL } from "../../testing/product/product.ts";
import { ROOT, run } from "../../testing/tools.ts";
import { documentedCommands, OPERATIONS } from "../operations-commands.ts";

const LIMIT = { timeout: 120_000 };

const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as {
  scripts: Record<string, string>;
};

let product: LocalProduct;

beforeAll(async () => {
  product = await startLocalProduct({
    ...LOCAL,
    BANK_DETAILS_KEYS: "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
  });
  await product.signUp("pat-provider");
}, 240_000);
afterAll(() => product.stop());

/** What stands for something of the operator's own. */
const OWN: readonly [RegExp, string][] = [
  [/--(username|revoke)=…/, "--$1=pat-provider"],
  [/--email=…/, "--email=anna@example.com"],
  [/--lead=(?:lead_)?…/, "--lead=lead_inner-west_00000000000000000000"],
  [/--reason="…"/, '--reason="a flood"'],
  [/ file\.csv/, " data/nsw-suburbs.csv"],
];

/** The words of a line as a shell splits them, for this machine: without what means production. */
function wordsOf(line: string): string[] {
  const own = OWN.reduce((text, [from, to]) => text.replace(from, to), line);
  const [, given = ""] = own.split(" -- ");
  const words = [...given.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ""));
  return words.filter((word) => word !== "--remote");
}

/** Where a sentence names a command and leaves out what it has to be told. */
const NAMED_ONLY = new Set(["npm run erase", "npm run region -- resume"]);

const LINES = documentedCommands()
  // The order in which they leave each other something to do: whoever is erased comes last.
  .filter(({ name, line }) => OPERATIONS[name] === "drill" && !NAMED_ONLY.has(line))
  .toSorted((a, b) => Number(a.name.endsWith("erase")) - Number(b.name.endsWith("erase")))
  .map((command) => ({ ...command, words: wordsOf(command.line) }))
  // What differs only in where it works is the same here.
  .filter(
    ({ name, words }, index, all) =>
      index === all.findIndex((other) => other.name === name && other.words.join(" ") === words.join(" ")),
  );

test("nothing of the operator's own is left open, and there is a line for each command", () => {
  expect(LINES.filter(({ words }) => words.some((word) => word.includes("…")))).toEqual([]);
  expect(new Set(LINES.map(({ name }) => name)).size).toBe(
    Object.values(OPERATIONS).filter((by) => by === "drill").length,
  );
});

test.for(LINES)("$line", LIMIT, async ({ name, words }) => {
  const file = /scripts\/operator\/\S+/.exec(scripts[name.replace("npm run ", "")]!)![0];
  // A backup of a test's own is not kept among the operator's.
  const output = join(product.config, "..", `backup-${words.length}-${performance.now()}.sql`);
  // Whoever follows the page is asked; nobody sits at a test.
  const more = { "npm run backup": [`--output=${output}`], "npm run erase": ["--yes"] }[name] ?? [];
  const said = await run("node", [
    `${ROOT}${file}`,
    ...words,
    ...more,
    `--config=${product.config}`,
    `--port=${product.port}`,
  ]);
  expect(said).toMatch(/^On this machine:\n.+/);
  if (name === "npm run backup") rmSync(output);
});
