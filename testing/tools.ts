/** What scripts, benchmarks and tests share: the project's tools run as processes, and steps with progress. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Where a build puts the Worker. */
export const BUILD = `${ROOT}build/server/`;

/**
 * What the tools are told by their environment. No network is needed: no usage figures, no look-up of this
 * machine's place on Earth. What Node compiled of them is kept beside them: wrangler is read for each command
 * of an operator's, and begins a quarter sooner.
 */
export const TOOLS_ENV = {
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/node`,
};

/** Runs a step with its name and how long it took; its output is shown only when it fails. */
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
 * Runs one of the project's tools to its end.
 * @returns what it printed
 * @throws Error with what it printed when it fails
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

/** Waits until the server answers. @throws Error after a minute */
export async function waitUntilUp(url: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${url}/api/suburbs/parramatta`);
      if (response.ok) return;
    } catch {
      // Not up yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`The server did not answer at ${url} within a minute.`);
}
