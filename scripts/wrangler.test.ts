import { expect, test } from "vitest";

import { portOf } from "./local.ts";
import { rewordError, wrangler } from "./wrangler.ts";

test.for([
  "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable",
  "You are not authenticated. Please run `wrangler login`.",
])("an operator who is not signed in sees what to run: %s", (text) => {
  expect(rewordError(text, true)).toContain("Run `npx wrangler login` first");
});

test("a database without tables is reported as such, and any other error in wrangler's own words", () => {
  expect(rewordError("no such table: users: SQLITE_ERROR", false)).toContain("`npm start` creates them");
  expect(rewordError("no such table: users: SQLITE_ERROR", true)).toContain("`npm run deploy` creates them");
  expect(rewordError("UNIQUE constraint failed: users.username", false)).toBeNull();
});

test.for([
  [
    "wrangler d1 execute ended with 1:\n\n\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1mCould not read file: /nowhere/wrangler.toml\u001b[0m\n\n  ENOENT: no such file\n  \n  If you think this is a bug, please open an issue\n",
    "wrangler says: Could not read file: /nowhere/wrangler.toml ENOENT: no such file",
  ],
  [
    'wrangler d1 execute --json ended with 1:\n{\n  "error": {\n    "text": "Couldn\'t find a D1 DB with the name DB"\n  }\n}',
    "wrangler says: Couldn't find a D1 DB with the name DB",
  ],
] as const)("only the reason in wrangler's output is passed on: %#", ([printed, words]) => {
  expect(rewordError(printed, true)).toBe(words);
});

const LOCKED = "workerd/util/sqlite.c++:910: failed: database is locked: SQLITE_BUSY";

test.for([
  { failure: LOCKED, isRemote: false, failures: 2, tries: 3 },
  { failure: LOCKED, isRemote: false, failures: 9, tries: 5, says: "Another process is writing" },
  { failure: LOCKED, isRemote: true, failures: 1, tries: 1 },
  { failure: "UNIQUE constraint failed", isRemote: false, failures: 1, tries: 1 },
])("only an error about a file that `npm start` is writing to is retried: %j", async (given) => {
  let attempts = 0;
  const result = wrangler(
    ["d1"],
    given.isRemote,
    async () => {
      attempts += 1;
      if (attempts <= given.failures) throw new Error(given.failure);
      return "done";
    },
    async () => {},
  );
  if (given.tries > given.failures) await expect(result).resolves.toBe("done");
  else await expect(result).rejects.toThrow(given.says ?? given.failure);
  expect(attempts).toBe(given.tries);
});

test.for(["abc", "0", "70000", "87.87", "-1", " 8787"])("%j is rejected as a port", (text) => {
  expect(() => portOf(text)).toThrow(`"${text}" is not a port`);
});

test("without a port the default is used", () => {
  expect([portOf(undefined), portOf(""), portOf("9000")]).toEqual([8787, 8787, 9000]);
});
