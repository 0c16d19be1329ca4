/** A test that sets its own time limit expects a fast machine. All limits are in testing/patience.ts. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";

/** How a test can set a limit: an option, the last argument of a test or hook, or a wait with its own default. */
const OWN_LIMITS = [
  /\btimeout: /,
  /^ *\}, [\d_]{4,}\);$/,
  /^(?:test|it|before|after)\w*\(.*, [\d_]{4,}\);$/,
  /\bvi\.waitFor\(/,
  /\bvi\.waitUntil\(/,
  /\bAbortSignal\.timeout\(/,
];

/** A failed test shows its page's text. The page may hang, and the test has failed already. */
const ALLOWED = /innerText\(\{ timeout: 1000 \}\)/;

const ownLimitsIn = (text: string) =>
  text.split("\n").filter((line) => OWN_LIMITS.some((limit) => limit.test(line)) && !ALLOWED.test(line));

test.each([
  'test("a thing", { timeout: 600_000 }, async () => {',
  "}, 60_000);",
  "  }, 120_000);",
  "beforeAll(() => fill(large), 60_000);",
  "await vi.waitFor(() => expect(one).toBe(1));",
  "await expect.poll(count, { timeout: 30_000 }).toBe(1);",
])("%s is a limit", (line) => {
  expect(ownLimitsIn(line)).toEqual([line]);
});

test("no test sets a time limit of its own", () => {
  const listed = execFileSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", "*.test.ts", "testing/", "e2e/"],
    {
      cwd: ROOT,
      encoding: "utf8",
    },
  );
  const files = listed.split("\n").filter((file) => /\.tsx?$/.test(file));
  expect(files.length, "the test sees the files").toBeGreaterThan(300);
  const found = files
    .filter((file) => file !== "scripts/limits.test.ts")
    .map((file) => [file, ownLimitsIn(readFileSync(`${ROOT}${file}`, "utf8"))] as const)
    .filter(([, lines]) => lines.length > 0);
  expect(found).toEqual([]);
});
