/** Records of providers that public pages show. */
import { eq } from "drizzle-orm";

import { VERIFYING_KINDS } from "../contract/checks.ts";
import { DAY_MS, HOUR_MS } from "../contract/durations.ts";
import { MAX_LOCAL_PROVIDERS } from "../contract/profiles.ts";
import { LOW_STANDING_MIN_LEADS } from "../contract/standing.ts";
import { sydneyDay } from "../contract/sydney-time.ts";
import type { Db } from "../worker/platform/db/client.ts";
import { leadPurchases, photos, providerChecks } from "../worker/tables.ts";
import { newId } from "../worker/platform/ids.ts";
import { insertClockedSale } from "./clocked-sales.ts";
import { insertProfile, insertReview, insertUser } from "./world.ts";

/**
 * Stores a business with a page, and its sale in Leichhardt with a photo from before and one from after. The photos are
 * not in the bucket.
 * @param options.at when the photos were added
 * @param options.agreedAt when both sides agreed to show the photos; null if neither has
 */
export async function insertJob(
  db: Db,
  {
    serviceType = ["lawn_mowing"],
    at = Date.now(),
    agreedAt = null,
  }: { serviceType?: string[]; at?: number; agreedAt?: number | null } = {},
) {
  const owner = await insertUser(db, { companyName: "Green Lawns" });
  const { slug } = await insertProfile(db, owner);
  const lead = { serviceType, suburbId: "sub_leichhardt" };
  const purchaseId = await insertClockedSale(db, owner, { purchasedAt: Date.now() - DAY_MS }, lead);
  const [sale] = await db.select().from(leadPurchases).where(eq(leadPurchases.id, purchaseId));
  const row = {
    purchaseId,
    businessId: owner.id,
    width: 1600,
    height: 1200,
    bytes: 1,
    customerAgreedAt: agreedAt,
    providerAgreedAt: agreedAt,
    createdAt: at,
  };
  const before = newId("pho");
  const after = newId("pho");
  await db.insert(photos).values([
    { ...row, id: before, kind: "before" },
    { ...row, id: after, kind: "after" },
  ]);
  return { ownerId: owner.id, purchaseId, leadId: sale!.leadId, slug, before, after };
}

/** Stores as many businesses as a suburb's page lists, with checks, calls and reviews. @param suburbId where they are based */
export async function insertLocalProviders(db: Db, councils: readonly string[], suburbId: string) {
  const names = ["Banksia Brothers Lawn and Garden Care", "Wattle & Daughters Mowing", "Ironbark Gardens"];
  const purchasedAt = Date.now() - 20 * DAY_MS;
  for (const companyName of names.slice(0, MAX_LOCAL_PROVIDERS)) {
    const owner = await insertUser(db, { companyName });
    await insertProfile(db, owner, { suburbId }, councils);
    const check = { businessId: owner.id, state: "valid", seenOn: sydneyDay(purchasedAt) } as const;
    for (const kind of VERIFYING_KINDS)
      await db.insert(providerChecks).values({ ...check, id: newId("chk"), kind, createdAt: purchasedAt });
    for (let i = 0; i < LOW_STANDING_MIN_LEADS; i++) {
      const sale = { purchasedAt, calledAt: purchasedAt + HOUR_MS };
      const purchaseId = await insertClockedSale(db, owner, sale);
      if (i < 2) await insertReview(db, purchaseId, { stars: 4 + i });
    }
  }
}
