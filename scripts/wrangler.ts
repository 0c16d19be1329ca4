/** Runs wrangler for our commands, and rewrites its common errors in our wording. */
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

import { run } from "../testing/tools.ts";

/** wrangler's errors if the operator is not signed in, with a terminal and without. */
const SIGNED_OUT = /CLOUDFLARE_API_TOKEN|not authenticated|not logged in|wrangler login/i;

const NO_TABLES = /no such table/i;

/** wrangler's reason, up to its own notes. With --json it is a field. */
const REASON =
  /\[ERROR\]\s*(.+?)(?:\s*If you think this is a bug|\s*🪵|\s*Logs were written|$)|"text":\s*"([^"]+)"/s;

/** wrangler's error while `npm start` writes to the same file. The statement did not run. */
const LOCKED = /SQLITE_BUSY|database is locked/;
const MAX_LOCK_RETRIES = 5;
const WAIT_MS = 500;

/** Returns our wording for wrangler's error; null if wrangler's own wording is better. */
export function rewordError(text: string, isRemote: boolean): string | null {
  if (SIGNED_OUT.test(text))
    return "You are not signed in to Cloudflare, so nothing was done there. Run `npx wrangler login` first; without a browser, set CLOUDFLARE_API_TOKEN.";
  if (NO_TABLES.test(text))
    return `The database has no tables yet, or not all of them. ${isRemote ? "`npm run deploy`" : "`npm start`"} creates them.`;
  if (!isRemote && LOCKED.test(text))
    return "Another process is writing to this machine's database. Try again in a moment.";
  const [, printed, field] = REASON.exec(stripVTControlCharacters(text)) ?? [];
  const reason = printed ?? field;
  return reason ? `wrangler says: ${reason.replaceAll(/\s+/g, " ").trim()}` : null;
}

/**
 * Runs wrangler. On this machine it shares the database file with `npm start`, and retries while that file is
 * locked. In production nothing is retried.
 *
 * @param isRemote whether it works on production
 * @param tool runs wrangler; tests pass a fake
 * @param wait waits for a number of ms
 * @returns its output
 * @throws Error in one sentence if we know the cause, else with its output
 */
export async function wrangler(
  args: string[],
  isRemote: boolean,
  tool: (args: string[]) => Promise<string> = (wranglerArgs) => run("wrangler", wranglerArgs),
  wait: (ms: number) => Promise<unknown> = setTimeout,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tool(args);
    } catch (error) {
      const text = String(error);
      if (!isRemote && attempt < MAX_LOCK_RETRIES && LOCKED.test(text)) {
        await wait(WAIT_MS);
        continue;
      }
      const words = rewordError(text, isRemote);
      if (words === null) throw error;
      throw new Error(words, { cause: error });
    }
  }
}
