/**
 * Reconciles the exchanges, D1 and Stripe: every night, and with `npm run operate -- reconcile`. Where an exchange has a
 * record of a lead, the record wins (the exceptions are in market-rules.ts). Stripe wins on money. With `isFix` the run
 * repairs each difference. Without it, it only names them.
 */
import { REGION_SLUGS, type Region } from "../../../contract/regions.ts";
import { reconcileRecords, reconcileUnknown, signOutAfterRestore } from "./market-commands.ts";
import { isBeingWritten } from "./market-rules.ts";
import { moneyLegs } from "./money-commands.ts";
import { report } from "./report-commands.ts";
import { offersIn, recordsIn } from "./queries.ts";
import { buildLeg, type Leg } from "./walk-commands.ts";

const compareRecords = (region: Region, isFix: boolean): Leg =>
  buildLeg(recordsIn(region), async (walk, records) => {
    const { found, hasLost } = await reconcileRecords(walk, isFix, records, region);
    const ids = records.map(({ leadId }) => leadId);
    const queued = records.filter((record) => isBeingWritten(record, walk.now)).length;
    return {
      ...(queued > 0 && { still_being_written: queued }),
      ...(await report(walk, isFix, "market", ids, found)),
      ...(await signOutAfterRestore(walk, isFix, hasLost)),
    };
  });

const compareOffers = (region: Region, isFix: boolean): Leg =>
  buildLeg(offersIn(region), async (walk, offers) => {
    const unknown = offers.filter(({ isKnown }) => !isKnown).map(({ id }) => id);
    const found = await reconcileUnknown(walk, isFix, unknown);
    // The region is the subject of the alert that its exchange has lost its leads.
    return report(walk, isFix, "market", [...unknown, region], found);
  });

/**
 * Returns the legs of a run: first the market's, which restore purchases and ledger rows, then the money's.
 * @param only the only region to reconcile. Stripe and the ledger have no regions, so their legs are then left out
 */
export function reconciliationLegs(isFix: boolean, only: Region | null): Record<string, Leg> {
  const regions = only ? [only] : REGION_SLUGS;
  const inEach = (name: string, leg: (region: Region, isFix: boolean) => Leg) =>
    Object.fromEntries(regions.map((region) => [`${name} ${region}`, leg(region, isFix)]));
  return {
    ...inEach("records", compareRecords),
    ...inEach("offers", compareOffers),
    ...(only ? {} : moneyLegs(isFix)),
  };
}
