/** What the local scripts share: steps with progress, local secrets, and the local world. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Where the local D1 and objects keep their files; `npm run db:reset` empties it. */
export const STATE_DIR = `${ROOT}.wrangler/state`;

/** Local requests are answered here unless PORT says otherwise. */
export const DEFAULT_PORT = 8787;

/** No network is needed: no usage figures, no look-up of this machine's place on Earth. */
const QUIET_TOOLS = { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" };

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
      env: { ...process.env, ...QUIET_TOOLS, CI: "1", ...env },
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

/** What a machine of one's own has besides wrangler.toml, each with the reason that stands above it. */
const LOCAL_SETTINGS: readonly [name: string, reason: string, value: () => string][] = [
  [
    "PAYMENTS",
    "Leads are handed over without a card, so that buying can be tried without a Stripe account.",
    () => "direct",
  ],
  [
    "ADMIN_PASSKEYS",
    "Super admins sign in with a password here; in production they need a passkey.",
    () => "optional",
  ],
  [
    "BANK_DETAILS_KEYS",
    "Seals the bank details of this machine's accounts.",
    () => `local:${randomBytes(32).toString("base64")}`,
  ],
  [
    "ORIGIN_HASH_KEY",
    "Hashes network addresses and signs when a form was begun, so that made-up requests are noticed.",
    () => randomBytes(32).toString("base64"),
  ],
  [
    "SUSPICION_POINTS",
    "Whoever tries this out is many visitors in a few minutes: that is no reason to keep their requests back.",
    () => "0",
  ],
];

/** Makes the local settings on the first start, and adds what a later version needs. They exist here only. */
export function ensureLocalSettings(): void {
  const file = `${ROOT}.dev.vars`;
  const before = existsSync(file)
    ? readFileSync(file, "utf8").trimEnd()
    : "# Local settings, read by the local runtime only and never deployed.";
  const missing = LOCAL_SETTINGS.filter(([name]) => !new RegExp(`^\\s*${name}\\s*=`, "m").test(before));
  if (missing.length === 0) return;
  const lines = missing.flatMap(([name, reason, value]) => [`# ${reason}`, `${name}="${value()}"`]);
  writeFileSync(file, [before, ...lines, ""].join("\n"));
}

/** Brings the local database up to date, suburbs included. */
export async function migrate(): Promise<void> {
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", STATE_DIR]);
}

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
    env: { ...process.env, ...QUIET_TOOLS, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      const shown = onLine(line);
      if (shown !== null) console.log(shown);
    });
  }
  const stop = () => child.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  child.on("exit", (code) => process.exit(code ?? 0));
  return child;
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
