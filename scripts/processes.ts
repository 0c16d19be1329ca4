/** Runs long-running tools for a script. They end with the script, however it ends. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";

import { TOOLS_ENV, ROOT } from "../testing/tools.ts";

/**
 * Starts a long-running tool and prints its output line by line.
 *
 * @param onLine returns the text to print, or null to drop the line
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
    // A separate process group, so that the tool's own children end with it.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      const shown = onLine(line);
      if (shown !== null) console.log(shown);
    });
  }
  linkLifetimes(child);
  return child;
}

/** Time a tool has to end before it is killed. */
const KILL_AFTER_MS = 5_000;
const POLL_INTERVAL_MS = 500;

/**
 * Returns the process IDs from the parent up to npm, including the shell in between, so that we notice when
 * npm ends. Empty without npm, so that a background server outlives its shell.
 */
function findAncestorPids(): number[] {
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

/** Read at startup: otherwise we would miss a parent that ends before the server starts. */
const ANCESTOR_PIDS = findAncestorPids();

/**
 * Leaves no process behind. The tool ends with this process. This process ends with the tool, with its
 * terminal and with its parents, since npm does not forward every signal.
 */
function linkLifetimes(child: ChildProcess): void {
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal);
    } catch {
      // It has already ended.
    }
  };
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    signalGroup("SIGTERM");
    setTimeout(() => signalGroup("SIGKILL"), KILL_AFTER_MS);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  setInterval(() => {
    if (!ANCESTOR_PIDS.every(isAlive)) end();
  }, POLL_INTERVAL_MS).unref();
  // Kill the group however this process ends.
  process.on("exit", () => signalGroup("SIGKILL"));
  child.on("exit", (code) => process.exit(isEnding ? 0 : (code ?? 1)));
}

/** Whether a process is running, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that it is running under another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
