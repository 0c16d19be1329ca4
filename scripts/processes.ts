/** Long-running tools beside a script of ours: started with it, and ended with it, however it ends. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";

import { TOOLS_ENV, ROOT } from "../testing/tools.ts";

/**
 * Starts a long-running tool whose output is passed on line by line.
 * @param onLine returns what to print, or null to keep a line back
 */
export function start(
  command: string,
  args: string[],
  env: Record<string, string>,
  onLine: (line: string) => string | null,
) {
  const child = spawn(`${ROOT}node_modules/.bin/${command}`, args, {
    cwd: ROOT,
    env: { ...process.env, ...TOOLS_ENV, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: what the tool starts in its turn ends with it.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      const shown = onLine(line);
      if (shown !== null) console.log(shown);
    });
  }
  endTogether(child);
  return child;
}

/** A tool that does not end by itself in this time is ended. */
const LONGEST_END_MS = 5_000;
const LOOK_EVERY_MS = 500;

/**
 * npm, and the shell it has in between: both, so that npm's end is noticed. Nobody when this was not started
 * by npm, so that a server sent to the background outlives the shell it was started in.
 */
function startersUpToNpm(): number[] {
  const pids: number[] = [];
  if (process.env.npm_lifecycle_event === undefined) return pids;
  for (let pid = process.ppid; pid > 1 && pids.length < 3;) {
    pids.push(pid);
    const { stdout } = spawnSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" });
    const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? "") ?? [];
    if (parent === undefined) return [];
    if (/\bnpm\b/.test(command!) && !/^\S*sh -c/.test(command!)) return pids;
    pid = Number(parent);
  }
  return [];
}

/** Looked up at once: who is gone by the time the server starts would be missed. */
const STARTERS = startersUpToNpm();

/**
 * Nobody is left behind: the tool ends with this process, and this process with the tool, with whoever
 * started it (npm passes not every signal on) and with its terminal.
 */
function endTogether(child: ChildProcess): void {
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal);
    } catch {
      // It has ended already.
    }
  };
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    signalGroup("SIGTERM");
    setTimeout(() => signalGroup("SIGKILL"), LONGEST_END_MS);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  setInterval(() => {
    if (!STARTERS.every(isAlive)) end();
  }, LOOK_EVERY_MS).unref();
  // Whatever ends this process takes the group along.
  process.on("exit", () => signalGroup("SIGKILL"));
  child.on("exit", (code) => process.exit(isEnding ? 0 : (code ?? 1)));
}

/** Whether a process is running, ours or anybody's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
