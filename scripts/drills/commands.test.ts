/** Runs the commands in docs/operations.md as written, but locally, against a running product. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type LocalProduct, startLocalProduct } from "../../testing/product/local-product.ts";
import { IS_LONG } from "../../testing/long.ts";
import { LOCAL } from "../../testing/product/product.ts";
import { ROOT, run } from "../../testing/tools.ts";
import { queryByWrangler, stateDirOf } from "../operator/d1.ts";
import { databaseFile, runOnFile } from "../operator/local-d1.ts";
import { documentedCommands, OPERATIONS } from "../operations-commands.ts";

let product: LocalProduct;

beforeAll(async () => {
  product = await startLocalProduct({
    ...LOCAL,
    BANK_DETAILS_KEYS: "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
  });
  await product.signUp("pat-provider");
});
afterAll(() => product.stop());

const folder = mkdtempSync(join(tmpdir(), "naturestrip-operator-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file of a hundred suburbs. A new world has already loaded all 4,509. */
const PLACES_FILE = join(folder, "places.csv");
const suburbLines = readFileSync(`${ROOT}data/nsw-suburbs.csv`, "utf8").split("\n");
writeFileSync(PLACES_FILE, suburbLines.slice(0, 101).join("\n"));

/** Values for the placeholders in the document. */
const PLACEHOLDER_VALUES: readonly [RegExp, string][] = [
  [/--(username|revoke|remove-passkeys)=…/, "--$1=pat-provider"],
  [/--email=…/, "--email=anna@example.com"],
  [/--reason="…"/, '--reason="a flood"'],
  [/ (?:file|data\/nsw-suburbs)\.csv/, ` ${PLACES_FILE}`],
];

/** Splits a line into words as a shell does, and drops the production flag. */
function wordsOf(line: string): string[] {
  const own = PLACEHOLDER_VALUES.reduce((text, [from, to]) => text.replace(from, to), line);
  const given = own.replace(/^npm run operate -- [a-z-]+/, "");
  const words = [...given.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ""));
  return words.filter((word) => word !== "--remote");
}

/** Commands that a sentence mentions without their arguments. */
const MENTIONED_WITHOUT_ARGUMENTS = new Set(["npm run operate -- erase", "npm run operate -- region resume"]);

const LINES = documentedCommands()
  // Run the erasure last: other commands need that account.
  .filter(({ name, line }) => OPERATIONS[name] === "drill" && !MENTIONED_WITHOUT_ARGUMENTS.has(line))
  .toSorted((a, b) => Number(a.name.endsWith("erase")) - Number(b.name.endsWith("erase")))
  .map((command) => ({ ...command, words: wordsOf(command.line) }))
  // Lines that differ only in their target are the same test here.
  .filter(
    ({ name, words }, index, all) =>
      index === all.findIndex((other) => other.name === name && other.words.join(" ") === words.join(" ")),
  );

test("every placeholder is replaced, and each command has a line", () => {
  expect(LINES.filter(({ words }) => words.some((word) => word.includes("…")))).toEqual([]);
  expect(new Set(LINES.map(({ name }) => name)).size).toBe(
    Object.values(OPERATIONS).filter((by) => by === "drill").length,
  );
});

test("wrangler and the file return the same rows of a database", async () => {
  const target = { isRemote: false, config: product.config, port: null };
  const statements = ["SELECT username, email FROM users", "SELECT count(*) AS n FROM suburbs"];
  const file = databaseFile(stateDirOf(target))!;
  expect(await queryByWrangler(target, statements)).toEqual(runOnFile(file, statements));
});

/** Runs a documented command against this product. @returns its exit code and output */
async function runCommand(
  name: string,
  words: readonly string[],
): Promise<{ ended: number; printed: string }> {
  const command = name.replace("npm run operate -- ", "");
  // An operator confirms at a prompt, but tests have no terminal.
  const more = EXTRA_ARGUMENTS[name]?.() ?? [];
  const where = [`--config=${product.config}`, `--port=${product.port}`];
  return run("node", [`${ROOT}scripts/operate.ts`, command, ...words, ...more, ...where]).then(
    (printed) => ({ ended: 0, printed }),
    (error: Error) => ({ ended: 1, printed: error.message.slice(error.message.indexOf("\n") + 1) }),
  );
}

/** Extra arguments by command. */
const EXTRA_ARGUMENTS: Readonly<Record<string, () => string[]>> = {
  "npm run operate -- erase": () => ["--yes"],
};

/** Expected output of a second run, where it differs. */
const SECOND_RUN_OUTPUT: Readonly<Record<string, RegExp>> = {
  "npm run operate -- admin": /pat-provider is already a super admin\./,
};

/** Commands that only use the database. They do not need a running product. */
const DATABASE_ONLY = new Set(["npm run operate -- admin", "npm run operate -- load-suburbs"]);

const SAID = /^On this machine:\n.+/;
const STORED = /is stored; start the product with `npm start`/;

/** The first line of each command. */
const FIRST = LINES.filter(({ name }, index) => index === LINES.findIndex((other) => other.name === name));

/** Commands that the quick tests also run while the product is stopped: one that needs it, one that does not. */
const EXAMPLES = new Set(["npm run operate -- admin", "npm run operate -- region"]);

// The other lines of a command differ only in their arguments.
test.for(IS_LONG ? LINES : FIRST)("$line", async (line) => {
  const { name, words } = line;
  expect(await runCommand(name, words)).toEqual({ ended: 0, printed: expect.stringMatching(SAID) });
  if (!IS_LONG || !FIRST.includes(line)) return;
  const again = await runCommand(name, words);
  expect(again, "run again").toEqual({
    ended: 0,
    printed: expect.stringMatching(SECOND_RUN_OUTPUT[name] ?? SAID),
  });
});

describe("with the product stopped", () => {
  beforeAll(() => product.stopServer());

  test.for(FIRST.filter(({ name }) => IS_LONG || EXAMPLES.has(name)))("$line", async ({ name, words }) => {
    const { ended, printed } = await runCommand(name, words);
    expect(printed).toMatch(SAID);
    if (DATABASE_ONLY.has(name)) expect([ended, printed]).toEqual([0, expect.not.stringMatching(STORED)]);
    else expect([ended, printed]).toEqual([1, expect.stringMatching(STORED)]);
  });
});
