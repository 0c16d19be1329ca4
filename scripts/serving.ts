/**
 * One server at a time for the world of this checkout: what serves it says so in a file, and whoever starts
 * or empties looks there and at the port first.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";

import { STATE_DIR } from "./local.ts";
import { isAlive } from "./processes.ts";

const FILE = `${STATE_DIR}.serving.json`;

/** Who serves this checkout's world, and where. */
export type Serving = { pid: number; url: string };

/** Says that this process serves the world, until it ends. */
export function announceServing(url: string): void {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ pid: process.pid, url } satisfies Serving));
  process.on("exit", () => rmSync(FILE, { force: true }));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      // A machine without the newer addresses has nobody on them.
      .once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE"))
      .listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** Whether nobody listens on a port of this machine. */
export async function isFree(port: number): Promise<boolean> {
  // One after the other: the newer address may stand for both.
  return (await canListen(port, "127.0.0.1")) && (await canListen(port, "::1"));
}

/** What serves this checkout's world now; null when nothing does. */
export async function findServing(): Promise<Serving | null> {
  try {
    const serving = JSON.parse(readFileSync(FILE, "utf8")) as Serving;
    // A process that was killed leaves its word behind, and its number may be another's by now.
    return isAlive(serving.pid) && !(await isFree(Number(new URL(serving.url).port))) ? serving : null;
  } catch {
    return null;
  }
}

/**
 * Makes sure that this checkout may be served now.
 * @param command how it was started, such as `npm start`
 * @param ports every port it needs, the site's own first
 * @throws Error that says what is in the way and what to do
 */
export async function checkCanServe(command: string, ports: readonly number[]): Promise<void> {
  const serving = await findServing();
  if (serving)
    throw new Error(
      `Naturestrip is running from here already, at ${serving.url}. Open it there, or stop it first (Ctrl+C in its window).`,
    );
  for (const port of ports) {
    if (await isFree(port)) continue;
    throw new Error(
      `Something else on this machine uses port ${port}. Choose another one: PORT=${ports[0]! + 10} ${command}`,
    );
  }
}
