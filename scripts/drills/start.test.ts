/**
 * Tests `npm start` as developers use it: started twice, with its port in use, and ended in every possible
 * way.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { freePort } from "../../testing/product/local-product.ts";
import { IS_LONG } from "../../testing/long.ts";
import { ROOT } from "../../testing/tools.ts";

const folder = mkdtempSync(join(tmpdir(), "naturestrip-start-"));
const STATE_DIR = join(folder, "state");
const running = new Set<ChildProcess>();

afterAll(() => {
  for (const child of running) process.kill(-child.pid!, "SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

/** Runs npm as a terminal does, in its own process group. */
function npm(args: string[], port: number) {
  const child = spawn("npm", args, {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, STATE_DIR, PORT: String(port), WRANGLER_SEND_METRICS: "false" },
  });
  running.add(child);
  let output = "";
  const seen: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      for (const listener of seen) listener();
    });
  const ended = new Promise<number | null>((resolve) =>
    child.once("close", (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  const says = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const listener = () => output.includes(words) && resolve();
      seen.push(listener);
      listener();
      void ended.then(() => reject(new Error(`It ended without saying "${words}":\n${output}`)));
    });
  return { child, ended, says, output: () => output };
}

async function refusal(args: string[], port: number) {
  const { ended, output } = npm(args, port);
  return { code: await ended, said: (await ended, output()) };
}

/** Lists every process that uses this world. */
function processes(): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(folder));
}

const START = ["start", "--", "--built"];
const READY = "Stop with Ctrl+C";

test("it serves a copy of the build, and refuses a second start or emptying its world", async () => {
  const port = await freePort();
  const first = npm(START, port);
  await first.says(READY);
  expect(existsSync(`${STATE_DIR}.served/server/wrangler.json`)).toBe(true);
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);
  const second = await refusal(START, await freePort());
  expect(second).toEqual({
    code: 1,
    said: expect.stringContaining(
      `Naturestrip is already running from this checkout at http://localhost:${port}.`,
    ),
  });
  const reset = await refusal(["run", "db:reset"], port);
  expect(reset).toEqual({ code: 1, said: expect.stringContaining("Nothing was deleted") });
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);

  // Signal only npm, as a supervisor does.
  first.child.kill("SIGTERM");
  await first.ended;
  await expect.poll(processes).toEqual([]);
});

// The same handler as for the SIGTERM above.
test.runIf(IS_LONG).for(["SIGINT", "SIGHUP"] as const)(
  "%s from its terminal leaves no process behind",
  async (signal) => {
    const { child, says, ended } = npm(START, await freePort());
    await says(READY);
    expect(processes().length).toBeGreaterThan(0);
    process.kill(-child.pid!, signal);
    await ended;
    await expect.poll(processes).toEqual([]);
  },
);

test("a port in use is noticed before anything else happens", async () => {
  const holder: Server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => holder.once("listening", resolve));
  const { port } = holder.address() as { port: number };
  try {
    const { code, said } = await refusal(START, port);
    expect(code).toBe(1);
    expect(said).toContain(
      `Another program uses port ${port}. Choose another port: PORT=${port + 10} npm start`,
    );
    expect(said).not.toContain("Build");
  } finally {
    holder.close();
  }
});
