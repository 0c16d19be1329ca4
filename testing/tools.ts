/** Shared by scripts, benchmarks and tests: runs the project's tools as processes, and steps with progress. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { waitLimitMs } from "./patience.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The folder into which a build writes the Worker. */
export const BUILD = `${ROOT}build/server/`;

/**
 * Environment of the tools. They need no network, so they send no usage statistics and do not look up this
 * machine's location. Stores Node's compile cache beside them: each operator command loads wrangler, which
 * then starts a quarter faster.
 */
export const TOOLS_ENV = {
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/node`,
};

/** Runs a step and prints its name and duration. Shows its output only if it fails. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  process.stdout.write(`  ${name} …`);
  try {
    const result = await work();
    process.stdout.write(`\r  ${name} ✓ ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stdout.write(`\r  ${name} ✗\n`);
    throw error;
  }
}

/**
 * Runs one of the project's tools and waits for it.
 *
 * @returns its output
 * @throws Error with its output if it fails
 */
export function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(`${ROOT}node_modules/.bin/${command}`, args, {
      cwd: ROOT,
      env: { ...process.env, ...TOOLS_ENV, CI: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`));
    });
  });
}

/** Waits until the server responds. @throws Error if it never does */
export async function waitUntilUp(url: string): Promise<void> {
  const deadline = Date.now() + waitLimitMs();
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${url}/api/suburbs/parramatta`);
      if (response.ok) return;
    } catch {
      // Not up yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`The server did not answer at ${url}.`);
}
