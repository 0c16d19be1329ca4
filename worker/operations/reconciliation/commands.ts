/**
 * Reconciles the exchanges, D1 and Stripe: every night, and with `npm run operate -- reconcile`. Where an exchange has a
 * record of a lead, the record wins (the exceptions are in market-rules.ts). Stripe wins on money. With `isFix` the run
 * repairs each difference. Without it, it only names them.
 */
import { and, eq, isNull } from "drizzle-orm";

import type { Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { attention } from "../../platform/db/schema.ts";
import { reconcileRecords, reconcileUnknown, signOutAfterRestore } from "./market-commands.ts";
import { isBeingWritten } from "./market-rules.ts";
import { moneyLegs } from "./money-commands.ts";
import { report } from "./report-commands.ts";
import { OFFERS, RECORDS } from "./sources.ts";
import { buildLeg, type Leg } from "./walk-commands.ts";

/** Closes the alert that a region's exchange has lost its leads, once D1's leads are listed there again. */
async function closeLostLeadsAlert(db: Db, region: Region, now: number): Promise<void> {
  await db
    .update(attention)
    .set({ resolvedAt: now })
    .where(
      and(
        eq(attention.kind, "exchange_forgot"),
        eq(attention.subjectId, region),
        isNull(attention.resolvedAt),
      ),
    );
}

function marketLegs(isFix: boolean): Record<string, Leg> {
  return {
    records: buildLeg(RECORDS, async (walk, records, region) => {
      const { found, hasLost } = await reconcileRecords(walk, isFix, records, region);
      const ids = records.map(({ leadId }) => leadId);
      const queued = records.filter((record) => isBeingWritten(record, walk.now)).length;
      return {
        ...(queued > 0 && { still_being_written: queued }),
        ...(await report(walk, isFix, "market", ids, found)),
        ...(await signOutAfterRestore(walk, isFix, hasLost)),
      };
    }),
    offers: buildLeg(OFFERS, async (walk, offers, region) => {
      const unknown = offers.filter(({ isKnown }) => !isKnown).map(({ id }) => id);
      const found = await reconcileUnknown(walk, isFix, unknown);
      if (isFix) await closeLostLeadsAlert(walk.db, region, walk.now);
      return report(walk, isFix, "market", unknown, found);
    }),
  };
}

/**
 * Returns the legs of a run: first the market's, which restore purchases and ledger rows, then the money's.
 * @param region the only region to reconcile. Stripe and the ledger have no regions, so their legs are then left out
 */
export function reconciliationLegs(isFix: boolean, region: Region | null): Record<string, Leg> {
  return region ? marketLegs(isFix) : { ...marketLegs(isFix), ...moneyLegs(isFix) };
}
