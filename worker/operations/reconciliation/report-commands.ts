/** Reports what a reconciliation found: counts, lines, alerts and log. */
import { and, inArray, isNull, sql } from "drizzle-orm";

import { raiseAttention } from "../../outbox/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { attention } from "../../platform/db/messages.ts";
import { log } from "../../platform/log.ts";
import type { Counts } from "../operator/rules.ts";
import { describe, type Difference, type DifferenceKind, LOSSES, type RepairOutcome } from "./rules.ts";
import type { Walk } from "./walk-commands.ts";

/** A difference, and what the run did about it. */
export type Found = { difference: Difference; outcome: RepairOutcome };

/** Maximum differences that a run names. If there are more, they usually share one cause. */
const MAX_NAMED = 100;

/** The kinds of alerts that a leg raises, and closes for rows that no longer differ. */
const ALERTS = {
  market: [...LOSSES, "offer_differs", "exchange_forgot"],
  ledger: ["paid_twice", "paid_without_purchase", "purchase_amount", "payment_missing_at_stripe"],
  purchases: ["purchase_without_payment"],
} as const satisfies Record<string, readonly (DifferenceKind | "exchange_forgot")[]>;

/** Raises the alerts that a person must see, and closes those of rows that no longer differ. */
async function updateAlerts(
  db: Db,
  kinds: readonly string[],
  subjectIds: readonly string[],
  found: readonly Found[],
  now: number,
): Promise<void> {
  const open = found.filter(({ difference, outcome }) => difference.advice || outcome === "skipped");
  for (const { difference } of open)
    if (difference.advice)
      await raiseAttention(db, difference.kind, difference.subjectId, textOf(difference), now);
  const left = open.map(({ difference: { kind, subjectId } }) => `${kind} ${subjectId}`);
  await db
    .update(attention)
    .set({ resolvedAt: now })
    .where(
      and(
        inArray(attention.kind, [...kinds]),
        sql`${attention.subjectId} IN (SELECT value FROM json_each(${JSON.stringify(subjectIds)}))`,
        isNull(attention.resolvedAt),
        sql`${attention.kind} || ' ' || ${attention.subjectId} NOT IN (SELECT value FROM json_each(${JSON.stringify(left)}))`,
      ),
    );
}

const textOf = ({ what, advice }: Difference) => `${what} ${advice}`;

/**
 * Counts what a page had, and names its differences. With a fix, it also updates the alerts and logs each repair.
 * @param leg null for a leg that raises no alerts
 * @param subjectIds the subjects of the page's rows
 */
export async function report(
  { db, now, found: earlier }: Walk,
  isFix: boolean,
  leg: keyof typeof ALERTS | null,
  subjectIds: readonly string[],
  found: readonly Found[],
): Promise<Counts> {
  const counts: Counts = { differences: found.length };
  const add = (name: string) => (counts[name] = (counts[name] ?? 0) + 1);
  for (const { difference, outcome } of found) {
    add(difference.kind);
    add(outcome);
    if (difference.advice) add("for_a_person");
    const line = describe(difference, outcome);
    if ((earlier["differences"] ?? 0) < MAX_NAMED) counts[line] = 1;
    if (isFix)
      log("warn", "difference", { kind: difference.kind, subject: difference.subjectId, outcome, line });
  }
  if (isFix && leg) await updateAlerts(db, ALERTS[leg], subjectIds, found, now);
  return counts;
}
