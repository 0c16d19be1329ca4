/** Limits what a stranger with a forwarded link can guess, such as the last four digits of the phone number. */
import { phoneKey } from "../../../contract/phone.ts";
import { and, eq, lt, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import { maxDigitTries } from "./change-rules.ts";
import type { LeadRow } from "../rules.ts";
import type { RequestLink } from "./queries.ts";

/**
 * Counts a guess before it is checked, so parallel requests cannot exceed the limit. A request accepts five guesses, and
 * one more for each 30 days. Call `returnGuess` if it was right or revealed nothing.
 * @param first the original lead, before any rescue
 * @returns the number of further guesses; null if the request accepts no more
 */
export async function countGuess(db: Db, first: LeadRow, now: number): Promise<number | null> {
  const maxTries = maxDigitTries(first, now);
  const [counted] = await db
    .update(leads)
    .set({ digitTries: sql`${leads.digitTries} + 1` })
    .where(and(eq(leads.id, first.id), lt(leads.digitTries, maxTries)))
    .returning({ tries: leads.digitTries });
  return counted ? maxTries - counted.tries : null;
}

/** Takes back the count of a guess that was right, or of a change that revealed nothing. */
export async function returnGuess(db: Db, first: LeadRow): Promise<void> {
  await db
    .update(leads)
    .set({ digitTries: sql`${leads.digitTries} - 1` })
    .where(eq(leads.id, first.id));
}

/**
 * Checks the last digits of the number on a request. A correct guess does not count.
 * @returns `right`, or the number of further tries; 0 also if the request accepts no more
 */
export async function checkLastDigits(
  db: Db,
  { lead, first }: RequestLink,
  digits: string,
  now: number,
): Promise<"right" | number> {
  const triesLeft = await countGuess(db, first, now);
  if (triesLeft === null) return 0;
  if (
    (phoneKey(lead.customerPhone) ?? lead.customerPhone.normalize("NFKC")).replaceAll(/\D/g, "").slice(-4) !==
    digits
  )
    return triesLeft;
  await returnGuess(db, first);
  return "right";
}
