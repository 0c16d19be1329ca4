/** Tests parsing and resuming a restore. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { DAY_MS } from "../../contract/durations.ts";
import { readArguments } from "../command.ts";
import { backupText } from "./backup-file.ts";
import { runRemainingSteps, readRun, type Run, type Step, writeRun } from "./resumable-steps.ts";
import { parseMoment, planOf, sinceOf } from "./restore-plan.ts";
import { kindsOf } from "./command-types.ts";
import { RESTORE_OPTIONS } from "./restore-plan.ts";
import { forgetRestore, restoreFile, restoreProduction } from "./restore-run.ts";

afterEach(() => vi.restoreAllMocks());

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-restore-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const args = (...argv: string[]) =>
  readArguments({ name: "restore-production", options: kindsOf(RESTORE_OPTIONS) }, argv, {});

test("exchange decisions are reread from a day before, since a sale may have reached D1 late", () => {
  expect(sinceOf(10 * DAY_MS)).toBe(9 * DAY_MS);
  expect(sinceOf(5)).toBe(0);
});

test.for(["2026-11-21", "2026-11-21T03:00:00", "yesterday", "1763694000", "2026-13-01T00:00:00Z"])(
  "%s is rejected: without a time zone it is ambiguous",
  (text) => {
    expect(() => parseMoment("to", text)).toThrow("is not a time");
  },
);

test("a time is parsed with its zone, and must be in the past", () => {
  expect(parseMoment("to", "2025-11-21T14:00:00+11:00")).toBe(Date.parse("2025-11-21T03:00:00Z"));
  expect(() => parseMoment("to", "2199-01-01T00:00:00Z")).toThrow("in the future");
});

test("a restore names exactly one target, completely", () => {
  const backup = join(makeFolder(), "backup.sql");
  const takenAt = Date.parse("2025-11-21T03:00:00Z");
  writeFileSync(backup, backupText({ takenAt, rows: {}, sql: "CREATE TABLE a (b);" }));
  expect(planOf(args(), true)).toBeNull();
  expect(planOf(args("--to=2025-11-21T03:00:00Z"), true)).toEqual({
    kind: "timestamp",
    to: "2025-11-21T03:00:00.000Z",
    since: Date.parse("2025-11-20T03:00:00Z"),
  });
  expect(planOf(args("--bookmark=0001", "--since=2025-11-21T03:00:00Z"), true)).toMatchObject({
    kind: "bookmark",
    to: "0001",
  });
  expect(() => planOf(args("--bookmark=0001"), true)).toThrow("--since");
  expect(() => planOf(args("--to=2025-11-21T03:00:00Z", `--from=${backup}`), true)).toThrow("one of");
  expect(() => planOf(args("--to=2025-11-21T03:00:00Z"), false)).toThrow("Only production has");
  expect(() => planOf(args("--from=no-such.sql"), false)).toThrow("no-such.sql");
  expect(() => planOf(args("--from=package.json"), false)).toThrow("is not a backup");
  expect(planOf(args(`--from=${backup}`), false)).toMatchObject({
    kind: "file",
    to: backup,
    since: Date.parse("2025-11-20T03:00:00Z"),
  });
});

const confirmAll = async () => true;
const declineAll = async () => false;

type Notes = { said: string[] };

function runOf(): Run<null, Notes> {
  return { began: "now", plan: null, facts: { said: [] }, done: [] };
}

const stepOf = (name: string, work: Step<null, Notes>["work"]): Step<null, Notes> => ({
  name,
  title: () => `do ${name}.`,
  work,
});

test("a run that fails or is stopped resumes at the same step", async () => {
  const file = join(makeFolder(), "state/run.json");
  let isBroken = true;
  const steps = [
    stepOf("one", async ({ facts }) => void facts.said.push("one")),
    stepOf("two", async ({ facts }, keep) => {
      facts.said.push("two");
      keep();
      if (isBroken) throw new Error("cut off");
    }),
    stepOf("three", async ({ facts }) => void facts.said.push("three")),
  ];
  await expect(runRemainingSteps(file, runOf(), steps, confirmAll)).rejects.toThrow("cut off");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const second = readRun<null, Notes>(file)!;
  expect(second).toMatchObject({ done: ["one"], facts: { said: ["one", "two"] } });

  isBroken = false;
  const questions: string[] = [];
  const declineThird = async (question: string) => (questions.push(question), !question.includes("three"));
  expect(await runRemainingSteps(file, second, steps, declineThird)).toBe(false);
  expect(questions).toEqual(["Step 2 of 3: do two.", "Step 3 of 3: do three."]);
  const third = readRun<null, Notes>(file)!;
  expect(third.done).toEqual(["one", "two"]);
  expect(await runRemainingSteps(file, third, steps, confirmAll)).toBe(true);
  expect(third.facts.said).toEqual(["one", "two", "two", "three"]);
  expect(existsSync(file)).toBe(false);
});

test.for(["", "{", '{"plan":{"kind"', "{}", "null"])(
  "a damaged run file (%j) says what to do, and can be abandoned",
  async (damaged) => {
    const config = join(makeFolder(), "wrangler.json");
    const target = { isRemote: false, config, port: null };
    vi.spyOn(console, "log").mockImplementation(() => {});
    const file = restoreFile(target);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, damaged);
    await expect(restoreProduction(target, args(), declineAll)).rejects.toThrow("Abandon it with --forget");
    forgetRestore(target);
    expect(vi.mocked(console.log).mock.calls.flat().join("\n")).toContain("npm run operate -- region list");
    await expect(restoreProduction(target, args(), declineAll)).rejects.toThrow(
      "There is no unfinished restore",
    );
  },
);

test("a run is not mistaken for another one, and can be abandoned", async () => {
  const config = join(makeFolder(), "wrangler.json");
  const target = { isRemote: true, config, port: null };
  vi.spyOn(console, "log").mockImplementation(() => {});
  await expect(restoreProduction(target, args(), declineAll)).rejects.toThrow(
    "There is no unfinished restore",
  );
  expect(await restoreProduction(target, args("--to=2025-11-21T03:00:00Z"), declineAll)).toBe(false);
  await expect(restoreProduction(target, args("--to=2025-11-22T03:00:00Z"), declineAll)).rejects.toThrow(
    "A restore to 2025-11-21T03:00:00.000Z, begun",
  );
  // A local restore uses a separate file.
  expect(restoreFile(target)).not.toBe(restoreFile({ ...target, isRemote: false }));
  writeRun(restoreFile(target), {
    ...readRun<object, object>(restoreFile(target))!,
    facts: { isPaused: true, undo: "0009" },
  });
  forgetRestore(target);
  const lines = vi.mocked(console.log).mock.calls.flat().join("\n");
  expect(lines).toContain("npm run operate -- region resume --all");
  expect(lines).toContain("0009");
  await expect(restoreProduction(target, args(), declineAll)).rejects.toThrow(
    "There is no unfinished restore",
  );
});
