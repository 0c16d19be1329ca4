/** Runs a step of `npm test`, shows its output, and ends it if it is silent for too long. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MINUTE_MS, SECOND_MS } from "../contract/durations.ts";
import { ROOT, TOOLS_ENV } from "../testing/tools.ts";
import { listSlowest, NOTES_FILE, readProgress, describeWaiting } from "./test-progress.ts";

/** A step without activity for longer than this is ended. */
export const MAX_SILENCE_MS = 5 * MINUTE_MS;

const CHECK_EVERY_MS = SECOND_MS;
const KILL_AFTER_MS = 5 * SECOND_MS;

type Watch = {
  /** Its value changes with every event. Without it, a step may only last as long as the maximum silence. */
  pulse: () => number;
  /** Lists what the step is waiting for, for display. */
  describeWaiting: () => string;
};

/** Ends a tool and every process it started. */
function end(child: ChildProcess): void {
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal);
    } catch {
      // The group has already ended.
    }
  };
  signalGroup("SIGTERM");
  const timer = setTimeout(() => signalGroup("SIGKILL"), KILL_AFTER_MS);
  child.on("close", () => clearTimeout(timer));
}

/**
 * Runs a command and shows its output, or passes it to `print`.
 *
 * @returns its exit code; 1 if it was silent for too long
 */
export function show(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  watch: Watch = { pulse: () => 0, describeWaiting: () => `  ${command} ${args.join(" ")}` },
  print?: (text: string) => void,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(`${ROOT}node_modules/.bin/${command}`, args, {
      cwd: ROOT,
      env: { ...process.env, ...TOOLS_ENV, ...env },
      stdio: print ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
      // A separate process group, so that we can also end every process it starts.
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => print?.(String(text)));
    let countEvents = watch.pulse();
    let since = Date.now();
    let isSilent = false;
    const timer = setInterval(() => {
      const now = watch.pulse();
      if (now !== countEvents) [countEvents, since] = [now, Date.now()];
      if (isSilent || Date.now() - since < MAX_SILENCE_MS) return;
      isSilent = true;
      console.error(
        `\nNothing has happened for ${MAX_SILENCE_MS / MINUTE_MS} minutes. Waiting for:\n${watch.describeWaiting()}`,
      );
      end(child);
    }, CHECK_EVERY_MS);
    // A terminal signals only its own group, so this process must end the step before it exits.
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    const stop = () => {
      child.on("close", () => process.exit(1));
      end(child);
    };
    for (const signal of signals) process.once(signal, stop);
    const finish = (code: number) => {
      clearInterval(timer);
      for (const signal of signals) process.off(signal, stop);
      resolve(code);
    };
    child.on("error", () => finish(1));
    child.on("close", (code) => finish(isSilent ? 1 : (code ?? 1)));
  });
}

/** Test results. An error outside any test counts as one failure. */
export type Outcome = { passed: number; failed: number; skipped: number };

/**
 * Runs Vitest and shows its output.
 *
 * @param folder for the run's notes; deleted at the end
 */
export async function runTests(
  args: string[],
  env: Record<string, string>,
  folder = mkdtempSync(join(tmpdir(), "naturestrip-test-")),
): Promise<Outcome> {
  const notes = join(folder, "notes");
  const code = await show(
    "vitest",
    ["run", ...args, "--reporter=default", `--reporter=${ROOT}scripts/test-progress.ts`],
    { ...env, [NOTES_FILE]: notes },
    {
      pulse: () => (existsSync(notes) ? statSync(notes).size : 0),
      describeWaiting: () => describeWaiting(readProgress(notes)),
    },
  );
  const progress = readProgress(notes);
  const { passed, failed, skipped, flaky } = progress;
  console.log(`\nThe slowest files:\n${listSlowest(progress)}`);
  if (flaky.length > 0) console.log(`\nPassed only on a retry:\n${flaky.join("\n")}`);
  rmSync(folder, { recursive: true, force: true });
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
}

/** The last line of `npm test`. */
export function summary({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}
