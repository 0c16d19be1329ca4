import { createHash } from "node:crypto";

import { log } from "../../platform/log.ts";

const RANGES = "https://api.pwnedpasswords.com/range/";

const TIMEOUT_MS = 1_000;

/**
 * Returns whether Have I Been Pwned lists a password. It receives only the first five characters of the password's hash
 * and returns all listed hashes that start with them. Returns false if it does not respond in time.
 * https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
export async function isBreached(password: string): Promise<boolean> {
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const response = await fetch(RANGES + hash.slice(0, 5), {
      headers: { "Add-Padding": "true", "User-Agent": "naturestrip" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`Status ${response.status}`);
    // Lines of padding have the count 0.
    return new RegExp(`^${hash.slice(5)}:[1-9]`, "m").test(await response.text());
  } catch (error) {
    log("warn", "breaches_unavailable", { error });
    return false;
  }
}
