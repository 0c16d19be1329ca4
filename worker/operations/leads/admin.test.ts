/** Super admins' actions on leads on the market. Row numbers refer to docs/failures.md. */
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";

import type { LeadExchange } from "../../durable-objects/lead-exchange.ts";
import type { Region } from "../../../contract/regions.ts";
import {
  buyer,
  readStatusAndCode,
  exchange,
  expectSold,
  listedLead,
  listingOf,
  runAlarm,
  stripe,
} from "../../../testing/cards.ts";
import { callerFor, db, testEnv } from "../../../testing/client.ts";
import { auditEntries, exchangeIn, leadRow, purchasesOf, setLead } from "../../../testing/facts.ts";
import { listed, putOnMarket, recordDecision, runSweep } from "../../../testing/drivers.ts";
import { termsOf, withdrawalOf } from "../../../testing/orders.ts";
import { insertPendingLead, insertTeamMember, insertUser } from "../../../testing/world.ts";

beforeEach(() => stripe.clearFaults());

const admin = await insertUser(db, { isSuperAdmin: true });
const asAdmin = await callerFor(admin.id);

const claim = (leadId: string) => asAdmin("POST", `/api/super-admin/claim-lead/${leadId}`);
const assign = (leadId: string, providerId: string) =>
  asAdmin("POST", `/api/super-admin/assign-lead/${leadId}/${providerId}`);
const withdraw = (leadId: string, reason = "Asked for twice") =>
  asAdmin("POST", `/api/super-admin/leads/${leadId}/withdraw`, { reason });
const move = (leadId: string, region: Region) =>
  asAdmin("POST", `/api/super-admin/leads/${leadId}/move`, { region });

const rowOf = leadRow;

/** Returns a lead's record in the given region's exchange. */
function recordIn(region: Region, leadId: string) {
  return runInDurableObject(exchangeIn(region), (_, { storage }) =>
    storage.sql
      .exec<{ state: string; generation: number }>(
        "SELECT state, generation FROM listings WHERE lead_id = ?",
        leadId,
      )
      .toArray()
      .map(({ state, generation }) => [state, generation]),
  );
}

/** Runs the outbox of the given region's exchange. */
async function projectToD1(region: Region, leadId: string) {
  const stub = exchangeIn(region);
  await runInDurableObject(stub, async (object, { storage }) => {
    storage.sql.exec("UPDATE due SET at = 1 WHERE kind = 'project' AND key = ?", leadId);
    await (object as unknown as LeadExchange).alarm();
  });
}

test("a super admin claims a lead for free, with its contact details; a repeat changes nothing", async () => {
  const leadId = await listedLead();
  const first = await claim(leadId);
  expect(first.status).toBe(201);
  const purchase = (await first.json()) as { id: string };
  expect(purchase).toMatchObject({
    buyerId: admin.id,
    mode: "claimed",
    amountPaid: "0.00",
    paymentStatus: "completed",
    customerEmail: "anna.brown@example.com",
  });
  expect(await (await claim(leadId)).json()).toMatchObject({ id: purchase.id });
  expect(await purchasesOf(leadId)).toHaveLength(1);
  const log = await auditEntries(leadId);
  expect(log).toHaveLength(1);
  expect(log[0]).toMatchObject({ action: "lead.claimed", actorUserId: admin.id, asUserId: null });
  expect(await rowOf(leadId)).toMatchObject({ status: "sold", listingState: "closed" });
});

test("an assigned lead is in the provider's pipeline, free, and the log names the admin", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  expect((await assign(leadId, pat.user.id)).status).toBe(201);
  expect((await assign(leadId, pat.user.id)).status).toBe(201);
  const [mine] = (await (await pat.as("GET", "/api/my-purchased-leads")).json()) as object[];
  expect(mine).toMatchObject({
    leadId,
    mode: "assigned",
    amountPaid: "0.00",
    paymentStatus: "completed",
    buyerName: `${pat.user.firstName} ${pat.user.lastName}`,
    customerName: "Anna Brown",
  });
  const [entry] = await auditEntries(leadId);
  expect(entry).toMatchObject({
    action: "lead.assigned",
    actorUserId: admin.id,
    after: { businessId: pat.user.id, amountCents: 0 },
  });
  expect(await readStatusAndCode(await claim(leadId))).toEqual([409, "lead_taken"]);
});

/** Returns the only audit log entry about a lead, and checks that it came from the given call. */
async function onlyLineOf(leadId: string, call: Promise<Response>) {
  const requestId = (await call).headers.get("X-Request-Id");
  const [entry, ...more] = await auditEntries(leadId);
  expect(more).toEqual([]);
  expect(entry!.requestId).toBe(requestId);
  return entry;
}

test("the log records the request, source and target of each move", async () => {
  const pat = await buyer();
  const before = { status: "available", listingState: "listed", region: "inner-west", generation: 1 };
  const [claimed, assigned, withdrawn, moved] = [
    await listedLead(),
    await listedLead(),
    await listedLead(),
    await listedLead(),
  ];
  expect(await onlyLineOf(claimed, claim(claimed))).toMatchObject({ before, after: { status: "sold" } });
  expect(await onlyLineOf(assigned, assign(assigned, pat.user.id))).toMatchObject({ before });
  expect(await onlyLineOf(withdrawn, withdraw(withdrawn))).toMatchObject({
    before,
    after: { status: "withdrawn" },
  });
  expect(await onlyLineOf(moved, move(moved, "blacktown"))).toMatchObject({
    before,
    after: { region: "blacktown", generation: 2 },
  });
  await claim(claimed);
  await withdraw(withdrawn);
  await move(moved, "blacktown");
  for (const leadId of [claimed, assigned, withdrawn, moved])
    expect(await auditEntries(leadId)).toHaveLength(1);
});

test("leads are assigned only to active providers", async () => {
  const leadId = await listedLead();
  const owner = await insertUser(db);
  const others = [
    await insertUser(db, { isActive: false }),
    await insertUser(db, { userType: "customer" }),
    await insertTeamMember(db, owner),
  ];
  for (const { id } of [...others, { id: "user_00000000000000000000" }])
    expect(await readStatusAndCode(await assign(leadId, id))).toEqual([404, "not_found"]);
  expect(await listingOf(leadId)).toMatchObject({ state: "available" });
});

test("an admin cannot claim a lead that its provider has paid for", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  await pat.settle(holdId);
  expect(await readStatusAndCode(await assign(leadId, pat.user.id))).toEqual([409, "already_bought"]);
  await expectSold(leadId, pat.user.id, holdId);
});

test("row 24: a held lead cannot be claimed, assigned, withdrawn or moved; afterwards it can", async () => {
  const leadId = await listedLead();
  const [pat, quinn] = [await buyer(), await buyer()];
  const { holdId } = await pat.opened(leadId);
  const refused = [409, "lead_held"];
  expect(await readStatusAndCode(await claim(leadId))).toEqual(refused);
  expect(await readStatusAndCode(await assign(leadId, quinn.user.id))).toEqual(refused);
  expect(await readStatusAndCode(await withdraw(leadId))).toEqual(refused);
  expect(await readStatusAndCode(await move(leadId, "blacktown"))).toEqual(refused);
  expect(await listingOf(leadId)).toMatchObject({ state: "held", hold: { holdId } });
  expect(await auditEntries(leadId)).toEqual([]);
  await pat.close(holdId);
  await runAlarm(leadId);
  expect((await assign(leadId, quinn.user.id)).status).toBe(201);
});

test("a withdrawn lead is off the market permanently, with its reason and a log entry", async () => {
  const leadId = await listedLead();
  const response = await withdraw(leadId, "The customer rang: sorted.");
  expect(await response.json()).toMatchObject({
    status: "withdrawn",
    withdrawnReason: "The customer rang: sorted.",
  });
  expect((await withdraw(leadId)).status).toBe(200);
  expect((await rowOf(leadId)).withdrawnReason).toBe("The customer rang: sorted.");
  const [entry, ...more] = await auditEntries(leadId);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ action: "lead.withdrawn", actorUserId: admin.id });
  // The reason may contain personal details, which the audit log would retain after an erasure.
  expect(JSON.stringify(entry)).not.toContain("rang");
  const pat = await buyer();
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "lead_closed"]);
  await putOnMarket({ ...(await rowOf(leadId)), listingState: "pending" });
  expect(await rowOf(leadId)).toMatchObject({ status: "withdrawn", listingState: "closed" });
});

test("a request not listed yet can be withdrawn, and its late listing changes nothing", async () => {
  const lead = await insertPendingLead(db);
  expect((await withdraw(lead.id)).status).toBe(200);
  await putOnMarket(lead);
  expect(await listingOf(lead.id)).toMatchObject({ state: "withdrawn" });
  expect(await rowOf(lead.id)).toMatchObject({ status: "withdrawn", listingState: "closed" });
});

test("a sold lead cannot be withdrawn or moved, and a provider's own lead is not found", async () => {
  const leadId = await listedLead();
  await claim(leadId);
  expect(await readStatusAndCode(await withdraw(leadId))).toEqual([409, "lead_taken"]);
  expect(await readStatusAndCode(await move(leadId, "blacktown"))).toEqual([409, "lead_taken"]);
  const manual = await insertPendingLead(db);
  await setLead(manual.id, { source: "manual", listingState: "private" });
  expect(await readStatusAndCode(await withdraw(manual.id))).toEqual([404, "lead_not_found"]);
});

test("row 30: a moved lead is closed in its first region, and listed and bought in the second", async () => {
  const leadId = await listedLead();
  const response = await move(leadId, "blacktown");
  expect(await response.json()).toMatchObject({ region: "blacktown", generation: 2, listingState: "listed" });
  expect(await recordIn("inner-west", leadId)).toEqual([["withdrawn", 1]]);
  expect(await recordIn("blacktown", leadId)).toEqual([["available", 2]]);
  const [entry, ...more] = await auditEntries(leadId);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    action: "lead.moved",
    actorUserId: admin.id,
    before: { generation: 1 },
    after: { generation: 2, region: "blacktown" },
  });
  // A second move to the same region changes nothing.
  expect((await move(leadId, "blacktown")).status).toBe(200);
  expect(await auditEntries(leadId)).toHaveLength(1);

  const [pat, rival] = [await buyer(), await buyer()];
  const { holdId, intentId } = await pat.opened(leadId);
  expect(stripe.intents.get(intentId)!.metadata).toMatchObject({ region: "blacktown" });
  expect(await readStatusAndCode(await rival.open(leadId))).toEqual([409, "lead_taken"]);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  expect(await rowOf(leadId)).toMatchObject({ status: "sold", region: "blacktown" });
  expect(await recordIn("inner-west", leadId)).toEqual([["withdrawn", 1]]);
});

test("row 30: moved to a second region, back and to a third, the lead is always in one region", async () => {
  const leadId = await listedLead();
  for (const region of ["blacktown", "inner-west", "parramatta"] as const) {
    expect(await (await move(leadId, region)).json()).toMatchObject({ region, listingState: "listed" });
  }
  expect(await recordIn("inner-west", leadId)).toEqual([["withdrawn", 3]]);
  expect(await recordIn("blacktown", leadId)).toEqual([["withdrawn", 2]]);
  expect(await recordIn("parramatta", leadId)).toEqual([["available", 4]]);
  expect((await claim(leadId)).status).toBe(201);
  expect(await recordIn("parramatta", leadId)).toEqual([["sold", 4]]);
});

test("row 30: commands of an older generation are refused and change nothing", async () => {
  const leadId = await listedLead();
  const old = await rowOf(leadId);
  await move(leadId, "blacktown");
  await move(leadId, "inner-west");
  const stale = await exchange.decide(withdrawalOf(old, "parramatta"));
  expect(stale).toEqual({ ok: false, reason: "outdated" });
  await putOnMarket(old);
  expect(await rowOf(leadId)).toMatchObject({ generation: 3, region: "inner-west", listingState: "listed" });
  // The expiry in the first region, delivered late.
  const late = {
    ...termsOf(old),
    version: 99,
    state: "expired",
    sale: null,
    departure: null,
    rescue: null,
  } as const;
  await recordDecision(late);
  expect(await rowOf(leadId)).toMatchObject({ status: "available", listingState: "listed" });
});

test("row 30: outbox and sweep finish a move that was interrupted after its first step", async () => {
  const leadId = await listedLead();
  const before = await rowOf(leadId);
  const input = { ...withdrawalOf(before, "blacktown"), byUserId: admin.id };
  expect(await exchange.decide(input)).toMatchObject({ ok: true });
  // D1 is not updated yet, but the exchange already refuses a buyer.
  const pat = await buyer();
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "lead_closed"]);
  await projectToD1("inner-west", leadId);
  expect(await rowOf(leadId)).toMatchObject({ region: "blacktown", generation: 2, listingState: "pending" });
  expect(await auditEntries(leadId)).toMatchObject([{ action: "lead.moved", actorUserId: admin.id }]);
  await runSweep("sweep", Date.now() + 60_000);
  expect(await recordIn("blacktown", leadId)).toEqual([["available", 2]]);
  expect((await pat.open(leadId)).status).toBe(200);
});

test("row 30: a move that failed in D1 is retried until it succeeds", async () => {
  const leadId = await listedLead();
  await testEnv.DB.exec(
    "CREATE TRIGGER broken BEFORE UPDATE OF region ON leads BEGIN SELECT RAISE(ABORT, 'D1 is having a moment'); END",
  );
  expect((await move(leadId, "blacktown")).status).toBe(500);
  await testEnv.DB.exec("DROP TRIGGER broken");
  expect(await rowOf(leadId)).toMatchObject({ region: "inner-west", generation: 1, listingState: "listed" });
  await projectToD1("inner-west", leadId);
  expect(await rowOf(leadId)).toMatchObject({ region: "blacktown", generation: 2, listingState: "pending" });
});

test("a request that its exchange refuses as outdated is no longer pending", async () => {
  const lead = await listed();
  await move(lead.id, "blacktown");
  await move(lead.id, "inner-west");
  // D1 is restored to a state older than the market's.
  const { generation } = lead;
  await setLead(lead.id, { generation, listingState: "pending", exchangeVersion: 0 });
  await putOnMarket(lead);
  expect(await rowOf(lead.id)).toMatchObject({ listingState: "closed" });
});
