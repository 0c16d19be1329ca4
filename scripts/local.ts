/** Local secrets and the local world, for the scripts that run locally. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { ROOT, run } from "../testing/tools.ts";
import { newPushKeys } from "./vapid.ts";

/** The folder of the local D1 and R2 data. `npm run db:reset` empties it. Tests use their own. */
export const STATE_DIR = resolve(process.env.STATE_DIR ?? `${ROOT}.wrangler/state`);

/** The local port, unless PORT sets another. */
const DEFAULT_PORT = 8787;

/**
 * Parses a port from PORT or `--port`.
 *
 * @throws Error if it is not a valid port
 */
export function portOf(text: string | null | undefined): number {
  if (text === null || text === undefined || text === "") return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_534)
    throw new Error(`"${text}" is not a port: use a number from 1 to 65534, such as ${DEFAULT_PORT}.`);
  return port;
}

/** Settings for a developer's machine only. The reason becomes the comment above each setting. */
const LOCAL_SETTINGS: readonly [name: string, reason: string, value: () => string][] = [
  [
    "PAYMENTS",
    "Sells leads without a card, so that you can try buying without a Stripe account.",
    () => "direct",
  ],
  [
    "ADMIN_PASSKEYS",
    "Super admins sign in with a password locally; in production they need a passkey.",
    () => "optional",
  ],
  [
    "SAMPLE_CLAIMS",
    "Shows the claims of the specification, which no records prove; production shows only proved ones.",
    () => "on",
  ],
  [
    "BANK_DETAILS_KEYS",
    "Encrypts the bank details of local accounts.",
    () => `local:${randomBytes(32).toString("base64")}`,
  ],
  [
    "ORIGIN_HASH_KEY",
    "Hashes IP addresses and signs a form's start time, so that fake requests are noticed.",
    () => randomBytes(32).toString("base64"),
  ],
  ["PUSH_KEYS", "Signs local notifications; browsers subscribe with the first half.", newPushKeys],
  [
    "SUSPICION_POINTS",
    "Local requests all come from one network within minutes: do not quarantine them for that.",
    () => "0",
  ],
];

/** Creates the local settings on the first start, and adds any that a later version needs. */
export function ensureLocalSettings(): void {
  const file = `${ROOT}.dev.vars`;
  const before = existsSync(file)
    ? readFileSync(file, "utf8").trimEnd()
    : "# Local settings. Only the local runtime reads them, and they are never deployed.";
  const missing = LOCAL_SETTINGS.filter(([name]) => !new RegExp(`^\\s*${name}\\s*=`, "m").test(before));
  if (missing.length === 0) return;
  const lines = missing.flatMap(([name, reason, value]) => [`# ${reason}`, `${name}="${value()}"`]);
  writeFileSync(file, [before, ...lines, ""].join("\n"));
}

/** Returns the local keys that sign push notifications. @throws Error if `ensureLocalSettings` has not run */
export function localPushKeys(): string {
  const keys = /^\s*PUSH_KEYS\s*=\s*"?([^"\n]+)/m.exec(readFileSync(`${ROOT}.dev.vars`, "utf8"))?.[1];
  if (!keys) throw new Error("PUSH_KEYS is missing in .dev.vars");
  return keys.trim();
}

/** Applies the migrations to the local database, including the suburb data. */
export async function migrate(): Promise<void> {
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", STATE_DIR]);
}
