/** A region that an operator took off the market temporarily. */
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";

import { MINUTE_MS } from "../../contract/durations.ts";
import { pausedRegions } from "../tables.ts";
import {
  buyer,
  readStatusAndCode,
  exchange,
  expectSold,
  listedLead,
  listingOf,
  stripe,
} from "../../testing/cards.ts";
import { call, callerFor, db } from "../../testing/client.ts";
import { auditEntries, leadRow } from "../../testing/facts.ts";
import { pause, putOnMarket, resume, runSweep } from "../../testing/drivers.ts";
import { insertPendingLead, insertUser, quoteRequest } from "../../testing/world.ts";

const REGION = "inner-west";

beforeEach(async () => {
  stripe.clearFaults();
  await resume(REGION);
});

async function listingStateOf(id: string) {
  const row = await leadRow(id);
  return row.listingState;
}

test("a visitor in a paused region is thanked, and the request waits until the region is resumed", async () => {
  await pause(REGION);
  const submitted = await call("POST", "/api/leads", { body: quoteRequest() });
  expect(submitted.status).toBe(201);
  const { id } = (await submitted.json()) as { id: string };
  const otherRegionLead = await insertPendingLead(db, {
    customerAddress: "1 Main Street, Blacktown NSW 2148",
  });
  await runSweep("sweep", Date.now() + 60_000);
  expect(await listingStateOf(id)).toBe("pending");
  expect(await listingStateOf(otherRegionLead.id)).toBe("listed");
  await resume(REGION);
  await runSweep("sweep", Date.now() + 60_000);
  expect(await listingStateOf(id)).toBe("listed");
});

test("in a paused region no lead can be bought, claimed or given, and every caller sees why", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  await pause(REGION);
  const form = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
  for (const response of [
    await pat.open(leadId),
    await pat.as("POST", `/api/leads/${leadId}/purchase`, form),
    await admin("POST", `/api/super-admin/claim-lead/${leadId}`),
  ])
    expect(await readStatusAndCode(response)).toEqual([503, "region_paused"]);
  expect(await listingOf(leadId)).toMatchObject({ state: "available" });
  expect(stripe.intentsOf(leadId)).toEqual([]);
  await resume(REGION);
  expect((await pat.open(leadId)).status).toBe(200);
});

test("a buyer who was paying when the region was paused still gets the lead", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await pause(REGION);
  expect((await pat.opened(leadId)).holdId).toBe(holdId);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  await expectSold(leadId, pat.user.id, holdId);
});

test("a pause written by hand reaches the exchange with the next sweep and survives an eviction", async () => {
  const lead = await insertPendingLead(db);
  await db.insert(pausedRegions).values({ region: REGION, reason: "By hand", since: Date.now() });
  await runSweep("pause_sweep");
  await evictDurableObject(exchange);
  await putOnMarket(lead);
  expect(await listingStateOf(lead.id)).toBe("pending");
});

test("row 41: a pause outlives a restore of D1 to before it, until an operator resumes the region", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  await pause(REGION);
  // Simulate D1's Time Travel: the row is gone, and so is the job that wrote it.
  await db.delete(pausedRegions);
  await evictDurableObject(exchange);
  await runSweep("pause_sweep");
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([503, "region_paused"]);
  // D1 does not know that these requests wait. They must not keep another region's request from the sweep.
  const longAgo = Date.now() - 10 * MINUTE_MS;
  for (let i = 0; i < 101; i++) await insertPendingLead(db, {}, longAgo);
  const other = await insertPendingLead(
    db,
    { customerAddress: "1 Main Street, Manly NSW 2095" },
    longAgo + 1,
  );
  expect(await runSweep("sweep")).toMatchObject({ listed: 1, failed: 100 });
  expect(await listingStateOf(other.id)).toBe("listed");
  await resume(REGION);
  expect((await pat.open(leadId)).status).toBe(200);
});

test("a pause from before the last resume has no effect", async () => {
  const now = Date.now();
  await resume(REGION, { now });
  // A restore brings back a pause from before the resume. It must not block buyers.
  await db.insert(pausedRegions).values({ region: REGION, reason: "Long over", since: now - 500 });
  await runSweep("pause_sweep");
  expect((await (await buyer()).open(await listedLead())).status).toBe(200);
});

test("each pause and resume is logged once, however often it is requested", async () => {
  const region = "parramatta";
  const by = { userId: "user_admin", asUserId: null };
  for (let i = 0; i < 2; i++) await pause(region, { by, now: 10 + i });
  expect(await db.select().from(pausedRegions)).toEqual([{ region, reason: "Storm", since: 10 }]);
  for (let i = 0; i < 2; i++) await resume(region, { now: 20 + i });
  const log = await auditEntries(region);
  expect(log.map(({ action, at, actorUserId }) => [action, at, actorUserId])).toEqual([
    ["region.pause", 10, "user_admin"],
    ["region.resume", 20, null],
  ]);
});

test("the audit log shows in which request an admin paused a region, and resumed it", async () => {
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const region = "blacktown";
  const path = `/api/super-admin/regions/${region}`;
  const responses = [
    await admin("POST", `${path}/pause`, { reason: "Hail" }),
    await admin("POST", `${path}/resume`),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  const log = await auditEntries(region);
  expect(log.map(({ requestId }) => requestId)).toEqual(
    responses.map(({ headers }) => headers.get("X-Request-Id")),
  );
});
