import { inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";

import { leadPurchases, leads } from "../worker/db/schema.ts";
import { insertPendingLead, insertUser } from "../worker/testing/world.ts";
import { eventually, type Product, startProduct } from "./product.ts";

const PROVIDERS = 20;
const LEADS = 10;

let product: Product;
let providers: Awaited<ReturnType<Product["callerFor"]>>[];

beforeAll(async () => {
  product = await startProduct();
  providers = [];
  for (let i = 0; i < PROVIDERS; i++) {
    providers.push(await product.callerFor((await insertUser(product.db)).id));
  }
});

afterAll(() => product.stop());

async function openMarket(): Promise<string[]> {
  const past = Date.now() - 60_000;
  const ids: string[] = [];
  for (let i = 0; i < LEADS; i++) ids.push((await insertPendingLead(product.db, {}, past + i)).id);
  await product.runSchedule();
  return ids;
}

/** Every provider asks for every lead, all at once. Returns the status of each request by lead. */
async function raceFor(leadIds: string[], midway?: () => Promise<void>) {
  const buyer = { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
  const requests = leadIds.flatMap((leadId) =>
    providers.map(async (call) => ({
      leadId,
      answer: await call("POST", `/api/leads/${leadId}/purchase`, buyer),
    })),
  );
  await midway?.();
  const results = await Promise.all(requests);
  return results.map(({ leadId, answer }) => ({ leadId, status: answer.status }));
}

async function expectOneSaleEach(leadIds: string[], results: { leadId: string; status: number }[]) {
  expect(results).toHaveLength(PROVIDERS * LEADS);
  for (const leadId of leadIds) {
    const statuses = results.filter((result) => result.leadId === leadId).map((result) => result.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(PROVIDERS - 1);
  }
  // What the exchange decided is what D1 says, at the latest when its outbox has been through.
  await eventually(async () => {
    const purchases = await product.db
      .select()
      .from(leadPurchases)
      .where(inArray(leadPurchases.leadId, leadIds));
    expect(purchases).toHaveLength(LEADS);
    expect(new Set(purchases.map((purchase) => purchase.leadId)).size).toBe(LEADS);
    const sold = await product.db
      .select({ n: sql<number>`count(*)` })
      .from(leads)
      .where(sql`${inArray(leads.id, leadIds)} AND status = 'sold' AND listing_state = 'closed'`);
    expect(sold[0]!.n).toBe(LEADS);
  }, 20_000);
}

test("20 providers send 200 requests for 10 leads: 10 sales, 190 refusals, nothing else", async () => {
  const leadIds = await openMarket();
  await expectOneSaleEach(leadIds, await raceFor(leadIds));
});

test("the same race with the exchange evicted in the middle comes out the same", async () => {
  const leadIds = await openMarket();
  const results = await raceFor(leadIds, async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    await product.worker.evictDurableObject("LEAD_EXCHANGE", { name: "inner-west" });
  });
  await expectOneSaleEach(leadIds, results);
});
