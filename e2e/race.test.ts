import { inArray, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";

import { leadPurchases, leads } from "../worker/tables.ts";
import { insertPendingLead, insertUser } from "../testing/world.ts";
import { setUpFixture } from "../testing/product/browser-fixture.ts";
import type { Product } from "../testing/product/product.ts";
import { eventually } from "../testing/eventually.ts";

const PROVIDERS = 20;
const LEADS = 10;

const fixture = setUpFixture();
let providers: Awaited<ReturnType<Product["callerFor"]>>[];

beforeAll(async () => {
  const { product } = fixture;
  providers = [];
  for (let i = 0; i < PROVIDERS; i++) {
    providers.push(await product.callerFor((await insertUser(product.db)).id));
  }
});

async function openMarket(): Promise<string[]> {
  const past = Date.now() - 60_000;
  const ids: string[] = [];
  for (let i = 0; i < LEADS; i++) ids.push((await insertPendingLead(fixture.product.db, {}, past + i)).id);
  await fixture.product.runSchedule();
  return ids;
}

type ClaimAttempt = { leadId: string; provider: number };

/** Returns one bid per provider and lead. */
function listClaims(leadIds: string[]): ClaimAttempt[] {
  return leadIds.flatMap((leadId) => providers.map((_, provider) => ({ leadId, provider })));
}

type Answer = { leadId: string; status: number };

/** Sends all purchase requests in parallel. Returns the status of each. */
function race(claims: ClaimAttempt[]): Promise<Answer[]> {
  return Promise.all(
    claims.map(async (one) => {
      const response = await claim(one);
      // An unread response may keep a reference to the exchange, which then cannot be evicted.
      await response.arrayBuffer();
      return { leadId: one.leadId, status: response.status };
    }),
  );
}

function claim({ leadId, provider }: ClaimAttempt): Promise<Response> {
  const buyer = { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
  return providers[provider]!("POST", `/api/leads/${leadId}/purchase`, buyer);
}

async function expectOneSaleEach(leadIds: string[], results: Answer[]) {
  expect(results).toHaveLength(PROVIDERS * LEADS);
  for (const leadId of leadIds) {
    const statuses = results.filter((result) => result.leadId === leadId).map((result) => result.status);
    const lost = Array.from({ length: PROVIDERS - 1 }, () => 409);
    expect(statuses.toSorted()).toEqual([201, ...lost]);
  }
  // D1 matches the exchange when the outbox is empty.
  await eventually(async () => {
    const purchases = await fixture.product.db
      .select()
      .from(leadPurchases)
      .where(inArray(leadPurchases.leadId, leadIds));
    expect(purchases).toHaveLength(LEADS);
    expect(new Set(purchases.map((purchase) => purchase.leadId)).size).toBe(LEADS);
    const sold = await fixture.product.db
      .select({ n: sql<number>`count(*)` })
      .from(leads)
      .where(sql`${inArray(leads.id, leadIds)} AND status = 'sold' AND listing_state = 'closed'`);
    expect(sold[0]!.n).toBe(LEADS);
  });
}

test("20 providers send 200 requests for 10 leads: 10 sales, 190 refusals, nothing else", async () => {
  const leadIds = await openMarket();
  await expectOneSaleEach(leadIds, await race(listClaims(leadIds)));
});
