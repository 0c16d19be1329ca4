/** Notes that Vitest writes during a test run: what started, what ended, and the results. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";

import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";

import { SECOND_MS } from "../contract/durations.ts";

/** The environment variable that holds the path of the notes. */
export const NOTES_FILE = "TEST_NOTES";

/** The reporter writes one note per event. */
type ProgressEvent =
  | { type: "run"; files: string[] }
  | { type: "file"; file: string }
  | { type: "test"; file: string; test: string }
  | { type: "result"; file: string; test: string; state: string; firstError?: string }
  | { type: "end"; file: string; ms: number };

const testFileName = ({ project, relativeModuleId }: TestModule) => `${project.name} ${relativeModuleId}`;

const write = (note: ProgressEvent) => appendFileSync(process.env[NOTES_FILE]!, `${JSON.stringify(note)}\n`);

/** The Vitest reporter that writes the notes. */
export default class NotesReporter implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const files = specifications.map(({ testModule, project, moduleId }) =>
      testModule ? testFileName(testModule) : `${project.name} ${moduleId}`,
    );
    write({ type: "run", files });
  }

  onTestModuleQueued(module: TestModule): void {
    write({ type: "file", file: testFileName(module) });
  }

  onTestCaseReady(test: TestCase): void {
    write({ type: "test", file: testFileName(test.module), test: test.fullName });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    const firstError = test.diagnostic()?.flaky ? (errors?.[0]?.message ?? "") : undefined;
    write({ type: "result", file: testFileName(test.module), test: test.fullName, state, firstError });
    // At once: a run that is ended prints no summary.
    if (state === "failed") console.error(`${test.fullName}\n${errors?.[0]?.stack ?? errors?.[0]?.message}`);
  }

  onTestModuleEnd(module: TestModule): void {
    const { setupDuration, collectDuration, duration } = module.diagnostic();
    write({ type: "end", file: testFileName(module), ms: setupDuration + collectDuration + duration });
  }
}

/** The progress of a run. */
export type Progress = {
  passed: number;
  failed: number;
  skipped: number;
  /** Running files, each with its running tests. */
  running: Map<string, Set<string>>;
  /** Number of files that have not started. */
  waiting: number;
  /** The file that ended last; null if none has. */
  lastEnded: string | null;
  /** Duration by file. */
  fileMs: Map<string, number>;
  /** Tests that passed only on a retry, each with its first error. */
  flaky: string[];
};

/** Reads a run's notes. */
export function readProgress(notesFile: string): Progress {
  const progress: Progress = {
    passed: 0,
    failed: 0,
    skipped: 0,
    running: new Map(),
    waiting: 0,
    lastEnded: null,
    fileMs: new Map(),
    flaky: [],
  };
  const lines = existsSync(notesFile) ? readFileSync(notesFile, "utf8").trim().split("\n") : [];
  for (const line of lines) applyNote(progress, JSON.parse(line) as ProgressEvent);
  return progress;
}

function applyNote(progress: Progress, note: ProgressEvent): void {
  switch (note.type) {
    case "run":
      progress.waiting = note.files.length;
      return;
    case "file":
      progress.waiting -= 1;
      progress.running.set(note.file, new Set());
      return;
    case "test":
      progress.running.get(note.file)?.add(note.test);
      return;
    case "result":
      progress.running.get(note.file)?.delete(note.test);
      if (note.state === "passed") progress.passed += 1;
      else if (note.state === "failed") progress.failed += 1;
      else progress.skipped += 1;
      if (note.firstError !== undefined)
        progress.flaky.push(`  ${note.file} > ${note.test}\n    ${note.firstError.split("\n")[0]}`);
      return;
    case "end":
      progress.running.delete(note.file);
      progress.lastEnded = note.file;
      progress.fileMs.set(note.file, note.ms);
  }
}

const MAX_SLOW_FILES = 10;

/** Lists the slowest files, slowest first, for display. */
export function listSlowest({ fileMs }: Progress): string {
  const slowest = [...fileMs].toSorted(([, a], [, b]) => b - a).slice(0, MAX_SLOW_FILES);
  return slowest.map(([file, ms]) => `${(ms / SECOND_MS).toFixed(1).padStart(8)} s  ${file}`).join("\n");
}

/** Lists what a run is waiting for, for display. */
export function describeWaiting({ running, waiting, lastEnded }: Progress): string {
  const begun = [...running].map(([file, tests]) =>
    [`  ${file}`, ...[...tests].map((test) => `    ${test}`)].join("\n"),
  );
  const none = `  no test file is running; the last to end was ${lastEnded ?? "none"}`;
  const left = waiting > 0 ? [`  ${waiting} files have not started`] : [];
  return [...(begun.length > 0 ? begun : [none]), ...left].join("\n");
}
