/** wrangler for our commands: what stands in its way is said in our words. */
import { run } from "../testing/tools.ts";

/** What wrangler says to whoever is not signed in, with a terminal and without. */
const SIGNED_OUT = /CLOUDFLARE_API_TOKEN|not authenticated|not logged in|wrangler login/i;

const NO_TABLES = /no such table/i;

/** What to say in the place of wrangler's own words; null when those are best. */
export function inOurWords(text: string, isRemote: boolean): string | null {
  if (SIGNED_OUT.test(text))
    return "You are not signed in to Cloudflare, so nothing was done there. Run `npx wrangler login` first; where there is no browser, set CLOUDFLARE_API_TOKEN.";
  if (NO_TABLES.test(text))
    return `The database has no tables yet, or not all of them. ${isRemote ? "`npm run deploy`" : "`npm start`"} makes them.`;
  return null;
}

/**
 * Runs wrangler.
 * @param isRemote whether it works in production
 * @returns what it printed
 * @throws Error in one sentence where we know what is wrong, else with what it printed
 */
export async function wrangler(args: string[], isRemote: boolean): Promise<string> {
  try {
    return await run("wrangler", args);
  } catch (error) {
    const words = inOurWords(String(error), isRemote);
    if (words === null) throw error;
    throw new Error(words, { cause: error });
  }
}
