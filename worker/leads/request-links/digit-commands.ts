/** Checks the last four digits of a customer's phone number, which a forwarded link does not reveal. */
import { and, eq, lt, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import { maxDigitTries } from "./change-rules.ts";
import type { RequestLink } from "./queries.ts";

/**
 * Checks the last digits of the number on a request. A request accepts five wrong tries, and one more for each 30 days.
 * Each try counts before the comparison, so parallel guesses get no more.
 * @returns `right`, or the number of further tries; 0 also if the request accepts no more
 */
export async function checkLastDigits(
  db: Db,
  { lead, first }: RequestLink,
  digits: string,
  now: number,
): Promise<"right" | number> {
  const maxTries = maxDigitTries(first, now);
  const [counted] = await db
    .update(leads)
    .set({ digitTries: sql`${leads.digitTries} + 1` })
    .where(and(eq(leads.id, first.id), lt(leads.digitTries, maxTries)))
    .returning({ tries: leads.digitTries });
  if (!counted) return 0;
  if (lead.customerPhone.normalize("NFKC").replaceAll(/\D/g, "").slice(-4) !== digits)
    return maxTries - counted.tries;
  await db
    .update(leads)
    .set({ digitTries: sql`${leads.digitTries} - 1` })
    .where(eq(leads.id, first.id));
  return "right";
}
