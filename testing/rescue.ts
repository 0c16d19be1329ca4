/** Rescues in tests: a lead that a buyer did not call about, and the offers to those who lost it. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect } from "vitest";

import { CONSENT_WORDING } from "../contract/consent.ts";
import type { Rescue } from "../worker/exchange/listing.ts";
import { startRescue } from "../worker/customer/rescue/store.ts";
import { rescueOffers } from "../worker/tables.ts";
import { contextOf } from "../worker/platform/context.ts";
import type { Bindings } from "../worker/platform/env.ts";
import { regionOfLeadId, rescueLeadId } from "../worker/platform/ids.ts";
import { buyer, purchaseOf, readStatusAndCode, runAlarm, stripe } from "./cards.ts";
import { db, testEnv } from "./client.ts";
import { insertPendingLead } from "./world.ts";
import { listed } from "./drivers.ts";
import { exchangeIn } from "./facts.ts";

let counter = 0;

/** Inserts a provider who has paid before, with a phone number of their own. */
export function payingBuyer(overrides: Parameters<typeof buyer>[0] = {}) {
  counter += 1;
  const phone = `0491 57${String(counter).padStart(4, "0")}`;
  return buyer({ payingSince: Date.now() - 1, phone, ...overrides });
}

type TestBuyer = Awaited<ReturnType<typeof buyer>>;

/** Inserts and lists a request under the wording that allows a rescue. */
export async function listedRequest(overrides: Parameters<typeof insertPendingLead>[1] = {}) {
  const lead = await listed({ consentWording: CONSENT_WORDING, ...overrides });
  return lead.id;
}

/** Sells a lead to its first buyer, while each of the others loses it, in this order. */
export async function sellTo(leadId: string, first: TestBuyer, losers: readonly TestBuyer[]): Promise<void> {
  const { holdId, intentId } = await first.opened(leadId);
  for (const loser of losers)
    expect(await readStatusAndCode(await loser.take(leadId))).toEqual([409, "lead_taken"]);
  stripe.confirm(intentId, "good");
  expect((await first.settle(holdId)).status).toBe("sold");
}

/** Starts the rescue of a sold lead, as its call clock does. @returns the id of the rescued lead */
export async function rescue(leadId: string, now = Date.now(), env: Bindings = testEnv): Promise<string> {
  const purchase = await purchaseOf(leadId);
  await startRescue(contextOf(env), purchase!, now);
  return rescueLeadId(regionOfLeadId(leadId)!, leadId);
}

/** Inserts a lead that was sold, lost by the others and rescued. @returns the first lead and the rescued one */
export async function rescuedLead(losers: readonly TestBuyer[]) {
  const first = await payingBuyer();
  const soldId = await listedRequest();
  await sellTo(soldId, first, losers);
  return { first, soldId, leadId: await rescue(soldId) };
}

/** Returns the exchange's record of a rescue. */
export function rescueOf(leadId: string): Promise<Rescue> {
  return runInDurableObject(exchangeIn(regionOfLeadId(leadId)!), (_, { storage }) => {
    const { rescue: text } = storage.sql
      .exec<{ rescue: string }>("SELECT rescue FROM rescues WHERE lead_id = ?", leadId)
      .one();
    return JSON.parse(text) as Rescue;
  });
}

/** Returns D1's offers of a lead, as "business: outcome". */
export async function offersInD1(leadId: string): Promise<string[]> {
  const rows = await db
    .select()
    .from(rescueOffers)
    .where(eq(rescueOffers.leadId, leadId))
    .orderBy(rescueOffers.offeredAt);
  return rows.map(({ businessId, outcome }) => `${businessId}: ${outcome}`);
}

/** Ends the open offer of a lead: moves its end into the past, and runs the alarm. */
export async function endOffer(leadId: string): Promise<void> {
  await runInDurableObject(exchangeIn(regionOfLeadId(leadId)!), (_, { storage }) => {
    const past = Date.now() - 1;
    storage.sql.exec(
      `UPDATE rescues SET offer_ends_at = ?1,
         rescue = json_set(rescue, '$.offers[' || (json_array_length(rescue, '$.offers') - 1) || '].endsAt', ?1)
       WHERE lead_id = ?2 AND offer_ends_at IS NOT NULL`,
      past,
      leadId,
    );
  });
  await runAlarm(leadId);
}
