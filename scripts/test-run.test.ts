/** Checks that `npm test` ends even if something hangs. Each hang is a real Vitest run, with a fake clock. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { eventually } from "../testing/eventually.ts";
import { listSlowest, readProgress } from "./test-progress.ts";
import { MAX_SILENCE_MS, runTests, show, summary } from "./test-run.ts";

/** Stops the inner runner from detecting that it runs inside Vitest. */
const OUTSIDE = { VITEST: "", VITEST_MODE: "", VITEST_POOL_ID: "", VITEST_WORKER_ID: "", NODE_OPTIONS: "" };

let printed: string[] = [];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, "error").mockImplementation((text: string) => void printed.push(text));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function place(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-silence-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const waitForFile = (file: string) => eventually(() => expect(existsSync(file), file).toBe(true));

/** Advances the clock until five minutes have passed without an event. */
async function advancePastSilence(): Promise<void> {
  // The first check may still see an earlier event.
  await eventually(() => {
    vi.advanceTimersByTime(MAX_SILENCE_MS);
    expect(printed).not.toEqual([]);
  });
}

test("a hanging run is ended, names the test it waits for, and counts the tests that passed", async () => {
  const folder = place({
    "stuck.test.mjs": `test("adds", () => expect(1 + 1).toBe(2));
      test.skip("comes later", () => {});
      test("waits for nothing", () => new Promise(() => {}));`,
  });
  const notes = place();
  const run = runTests(["--root", folder, "--globals", "--test-timeout=0"], OUTSIDE, notes);
  await waitForFile(join(notes, "notes"));
  await eventually(() => expect(readFileSync(join(notes, "notes"), "utf8")).toMatch(/passed.*\n.*waits/s));
  await advancePastSilence();
  const outcome = await run;
  expect(outcome).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(summary(outcome)).toBe("1 passed, 1 failed, 1 skipped");
  expect(printed).toEqual([
    expect.stringMatching(
      /^\nNothing has happened for 5 minutes\. Waiting for:\n {2}\S* ?stuck\.test\.mjs\n {4}waits for nothing$/,
    ),
  ]);
});

test("a run that ends by itself is not interrupted, and lists what passed only on a retry", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const folder = place({
    "b.test.mjs": `let tries = 0;
      test("a steady one", () => {});
      test.skip("comes later", () => {});
      test("a flaky one", { retry: 1 }, () => { if (++tries < 2) throw new Error("not yet"); });`,
  });
  const outcome = await runTests(["--root", folder, "--globals"], OUTSIDE);
  expect(outcome).toEqual({ passed: 2, failed: 0, skipped: 1 });
  expect(printed).toEqual([]);
  expect(log.mock.calls.flat().join("\n")).toMatch(
    /\nPassed only on a retry:\n {2}\S* ?b\.test\.mjs > a flaky one\n {4}not yet$/,
  );
});

test("a hanging step before the tests is named", async () => {
  const folder = place({
    "hang.mjs":
      'import { writeFileSync } from "node:fs"; writeFileSync(process.argv[2], ""); setInterval(() => {}, 1000);',
  });
  const run = show("node", [join(folder, "hang.mjs"), join(folder, "began")]);
  await waitForFile(join(folder, "began"));
  await advancePastSilence();
  expect(await run).toBe(1);
  expect(printed.join()).toContain(`Waiting for:\n  node ${join(folder, "hang.mjs")}`);
});

test("a step beside others passes on its output", async () => {
  const folder = place({ "fails.mjs": 'console.log("out"); console.error("err"); process.exitCode = 3;' });
  let output = "";
  const run = show("node", [join(folder, "fails.mjs")], {}, undefined, (text) => (output += text));
  expect(await run).toBe(3);
  expect(output.split("\n").toSorted()).toEqual(["", "err", "out"]);
});

test("the slowest files are listed, slowest first, at most ten", () => {
  const notes = join(place(), "notes");
  const files = Array.from({ length: 12 }, (_, i) => ({
    type: "end",
    file: `unit file-${i}`,
    ms: i * 1_500,
  }));
  writeFileSync(notes, files.map((note) => JSON.stringify(note)).join("\n"));
  const lines = listSlowest(readProgress(notes)).split("\n");
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe("    16.5 s  unit file-11");
  expect(lines.at(-1)).toBe("     3.0 s  unit file-2");
});
