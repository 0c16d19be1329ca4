/** What the local scripts share: local secrets, and the local world. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { QUIET_TOOLS, ROOT, run } from "../testing/tools.ts";

/** Where the local D1 and objects keep their files; `npm run db:reset` empties it. */
export const STATE_DIR = `${ROOT}.wrangler/state`;

/** Local requests are answered here unless PORT says otherwise. */
export const DEFAULT_PORT = 8787;

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
