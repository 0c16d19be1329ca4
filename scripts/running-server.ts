/**
 * Allows one server at a time for this checkout's world. The server writes a file. Commands that start a
 * server or empty the world check that file and the port first.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";

import { STATE_DIR } from "./local.ts";
import { isAlive } from "./processes.ts";

const FILE = `${STATE_DIR}.serving.json`;

/** The process that serves this checkout's world, and its URL. */
type RunningServer = { pid: number; url: string };

/** Records that this process is serving the world, until it ends. */
export function announceServing(url: string): void {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ pid: process.pid, url } satisfies RunningServer));
  process.on("exit", () => rmSync(FILE, { force: true }));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      // On a machine without IPv6 nothing can listen on that address, so the port is free.
      .once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE"))
      .listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** Whether a local port is free. */
export async function isFree(port: number): Promise<boolean> {
  // In sequence: a socket on the IPv6 address may also occupy the IPv4 one.
  return (await canListen(port, "127.0.0.1")) && (await canListen(port, "::1"));
}

/** Returns the server of this checkout's world; null if there is none. */
export async function findRunningServer(): Promise<RunningServer | null> {
  try {
    const serving = JSON.parse(readFileSync(FILE, "utf8")) as RunningServer;
    // A killed process leaves its file behind, and another process may have reused its ID.
    return isAlive(serving.pid) && !(await isFree(Number(new URL(serving.url).port))) ? serving : null;
  } catch {
    return null;
  }
}

/**
 * Checks that this checkout can be served now.
 *
 * @param command the command that is starting, such as `npm start`
 * @param ports every port it needs, the site's own first
 * @throws Error that names the obstacle and what to do
 */
export async function checkCanServe(command: string, ports: readonly number[]): Promise<void> {
  const serving = await findRunningServer();
  if (serving)
    throw new Error(
      `Naturestrip is already running from this checkout at ${serving.url}. Use it there, or stop it first (Ctrl+C in its window).`,
    );
  for (const port of ports) {
    if (await isFree(port)) continue;
    throw new Error(
      `Another program uses port ${port}. Choose another port: PORT=${ports[0]! + 10} ${command}`,
    );
  }
}
