import { DAY_MS } from "../../../contract/durations.ts";
import type { ExchangeObject } from "../../exchange/object.ts";
import { eq, inArray } from "drizzle-orm";
import { describe, expect, test } from "vitest";

import { bookings, contactLog, leads } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";
import type { Terms } from "../../exchange/listing.ts";
import { holdOrder } from "../../../testing/orders.ts";
import { call, callerFor, callWith, db, testEnv } from "../../../testing/client.ts";
import { auditEntries, exchangeIn, leadRow, purchaseRow, setLead, userRow } from "../../../testing/facts.ts";
import { listed, putOnMarket, runSweep, runSweeps } from "../../../testing/drivers.ts";
import { ERASED_CUSTOMER, ERASED_EMAIL, ERASED_PHONE, tracesIn } from "../../../testing/erased-customer.ts";
import { runJob, dumpD1, dumpExchanges, jobRow, storeJob } from "../../../testing/operator.ts";
import { insertProvider, openSocket } from "../../../testing/sockets.ts";
import {
  bookingRequest,
  insertManualPurchase,
  insertPendingLead,
  insertTeamMember,
  insertUser,
  quoteRequest,
} from "../../../testing/world.ts";

const BUYER = { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };

test("an erased person leaves no trace, and the ledger still adds up", async () => {
  const { user, as } = await insertProvider();
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);

  // Requests: sold and worked on, on the market in two spellings, pending, quarantined, a provider's own.
  const sold = await listed(ERASED_CUSTOMER);
  const bought = await as("POST", `/api/leads/${sold.id}/purchase`, BUYER);
  const { id: purchaseId } = (await bought.json()) as { id: string };
  const notes = { salesStage: "called", salesNotes: "Marta Quillfeather wants a call after four" };
  expect((await as("PATCH", `/api/lead-purchases/${purchaseId}/sales-stage`, notes)).status).toBe(200);
  const tried = { outcome: "no_answer", entryKey: crypto.randomUUID() };
  expect((await as("POST", `/api/lead-purchases/${purchaseId}/contacts`, tried)).status).toBe(200);
  const open = await listed({ ...ERASED_CUSTOMER, customerEmail: null, customerPhone: "+61 (491) 571-266" });
  const byMail = await listed({ ...ERASED_CUSTOMER, customerPhone: "02 5550 0199" });
  const waiting = await insertPendingLead(db, ERASED_CUSTOMER);
  const quarantined = await insertPendingLead(db, ERASED_CUSTOMER);
  await setLead(quarantined.id, { listingState: "quarantined" });
  await insertManualPurchase(db, user, {
    stage: "called",
    startedAt: 1,
    request: ERASED_CUSTOMER,
    notes: "Quokkaword",
  });
  // A garden booking, an inspection, and an account with a session.
  const booking = {
    name: ERASED_CUSTOMER.customerName,
    phone: ERASED_PHONE,
    email: ERASED_EMAIL,
    message: "Quokkaword",
  };
  await call("POST", "/api/bookings", { body: bookingRequest(booking) });
  const inspection = {
    ...booking,
    serviceType: "pre_purchase_inspection" as const,
    vehicle: "Quokkaword van",
  };
  expect((await call("POST", "/api/bookings", { body: bookingRequest(inspection) })).status).toBe(201);
  const account = { userType: "customer", companyName: null, businessAddress: null } as const;
  const customer = await insertUser(db, {
    ...account,
    username: ERASED_EMAIL,
    email: ERASED_EMAIL,
    lastName: "Quillfeather",
  });
  const asCustomer = await callerFor(customer.id);
  // A different person with a similar number.
  const stranger = await listed({ customerPhone: "0491 571 267" });

  const before = await purchaseRow(purchaseId);
  const socket = await openSocket("/api/exchange/inner-west/live", as.cookie);
  expect(JSON.stringify(await socket.frame(0))).toContain("Marta Q.");

  const input = { phone: "0491571266", email: ERASED_EMAIL.toUpperCase() };
  const { result: preview } = await runJob({ kind: "preview_erasure", input });
  expect(tracesIn(await dumpD1())).not.toEqual([]);
  const job = await runJob({ kind: "erase_person", input });
  expect(job).toMatchObject({ state: "done", input: null });
  expect(job.result).toEqual(preview);
  expect(job.result).toEqual({ leads: 7, bookings: 1, accounts: 1, accountsLeft: 0, purchases: 0 });

  expect(tracesIn(await dumpD1())).toEqual([]);
  expect(tracesIn(await dumpExchanges())).toEqual([]);
  for (const path of ["/api/leads", "/api/my-purchased-leads", "/api/lead-purchases"]) {
    for (const caller of [as, admin])
      expect(tracesIn(await (await caller("GET", path)).text()), path).toEqual([]);
  }
  const again = await openSocket("/api/exchange/inner-west/live", as.cookie);
  await again.frame(0);
  const replay = await openSocket("/api/exchange/inner-west/live?since=nowhere:0", as.cookie);
  await replay.frame(0);
  for (const { frames } of [again, replay]) expect(tracesIn(frames.join())).toEqual([]);

  // Open sockets receive the removal of both leads.
  const listErased = async (): Promise<string[]> => {
    const changes = socket.frames
      .slice(1)
      .flatMap((frame) => JSON.parse(frame).changes as { leadId: string }[]);
    return changes.map(({ leadId }) => leadId);
  };
  await expect.poll(listErased).toEqual(expect.arrayContaining([open.id, byMail.id]));

  // The ledger is unchanged, the audit log records the erasure, and the account no longer contains a person.
  const after = await purchaseRow(purchaseId);
  const { salesNotes: _, notesVersion: __, updatedAt: ___, tries, lastContactAt, ...others } = before;
  const { clockDueAt: ____, callClock: _____, ...kept } = others;
  expect(after).toMatchObject({ ...kept, clockDueAt: null });
  expect(after.salesNotes).toBeNull();
  // Call times are erased too.
  expect({ tries, lastContactAt }).toEqual({ tries: 1, lastContactAt: expect.any(Number) });
  expect(after).toMatchObject({ tries: 0, lastContactAt: null });
  expect(await db.select().from(contactLog)).toEqual([]);
  expect((await auditEntries(sold.id)).map(({ action }) => action)).toContain("lead.erased");
  expect((await asCustomer("GET", "/api/auth/me")).status).toBe(401);
  expect(await leadRow(waiting.id)).toMatchObject({ listingState: "closed", status: "withdrawn" });
  expect((await leadRow(stranger.id)).customerPhone).toBe("0491 571 267");
  expect((await leadRow(sold.id)).status).toBe("sold");
});

test("a request whose person is erased while it is being listed is never listed", async () => {
  const lead = await insertPendingLead(db, {
    ...ERASED_CUSTOMER,
    customerPhone: "0491 571 491",
    customerEmail: null,
  });
  await runJob({ kind: "erase_person", input: { phone: "0491 571 491", email: null } });
  // Simulates a sweep that read the row before the erasure.
  await putOnMarket(lead);
  expect(tracesIn(await dumpExchanges())).toEqual([]);
  expect(await leadRow(lead.id)).toMatchObject({ status: "withdrawn", listingState: "closed" });
});

/** Returns an environment that runs `happens` just before or after an exchange erases. */
function whileErasing(when: "before" | "after", happens: () => Promise<unknown>): Bindings {
  let isFirst = true;
  const get = (id: DurableObjectId) => {
    const stub = testEnv.LEAD_EXCHANGE.get(id) as DurableObjectStub<ExchangeObject>;
    const erase = async (terms: Terms) => {
      const isNow = isFirst;
      isFirst = false;
      if (isNow && when === "before") await happens();
      const result = await stub.erase(terms);
      if (isNow && when === "after") await happens();
      return result;
    };
    return new Proxy(stub, {
      get: (target, name) => (name === "erase" ? erase : Reflect.get(target, name, target)),
    });
  };
  const namespace = { idFromName: (name: string) => testEnv.LEAD_EXCHANGE.idFromName(name), get };
  return { ...testEnv, LEAD_EXCHANGE: namespace as unknown as Bindings["LEAD_EXCHANGE"] };
}

describe("row 39: a person is erased while their lead moves to another region", () => {
  const JOB = { kind: "erase_person", input: { phone: "0491571266", email: null } } as const;

  /** Runs an erasure while an admin moves the lead. @returns the IDs of the lead and the job */
  async function erasedWhileMoved(when: "before" | "after") {
    const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
    const { id } = await listed(ERASED_CUSTOMER);
    const move = () => admin("POST", `/api/super-admin/leads/${id}/move`, { region: "parramatta" });
    const job = await storeJob(JOB);
    let moved = 0;
    const env = whileErasing(when, async () => (moved = (await move()).status));
    await runSweeps(Date.now(), env);
    await runSweeps(Date.now() + 2 * 60_000);
    return { id, job, moved };
  }

  test("moved first: the lead is erased in its new region, and for sale nowhere", async () => {
    const { id, job, moved } = await erasedWhileMoved("before");
    expect(moved).toBe(200);
    expect(await jobRow(job)).toMatchObject({ state: "done", result: { leads: 1 } });
    expect(await leadRow(id)).toMatchObject({
      region: "parramatta",
      status: "withdrawn",
      listingState: "closed",
      erasedAt: expect.any(Number),
    });
    expect(tracesIn(await dumpD1())).toEqual([]);
    expect(tracesIn(await dumpExchanges())).toEqual([]);
    const trail = await auditEntries(id);
    expect(trail.filter(({ action }) => action === "lead.erased")).toHaveLength(1);
  });

  test("erased first: the lead does not move", async () => {
    const { id, job, moved } = await erasedWhileMoved("after");
    expect(moved).toBe(409);
    expect(await jobRow(job)).toMatchObject({ state: "done", result: { leads: 1 } });
    expect(await leadRow(id)).toMatchObject({ region: "inner-west", status: "withdrawn" });
    expect(tracesIn(await dumpD1())).toEqual([]);
    expect(tracesIn(await dumpExchanges())).toEqual([]);
  });
});

test("an erasure waits for a provider who is paying for the lead", async () => {
  const lead = await listed({ ...ERASED_CUSTOMER, customerPhone: "0491 570 737", customerEmail: null });
  const { user } = await insertProvider();
  const exchange = exchangeIn("inner-west");
  const held = await exchange.decide(holdOrder(lead.id, user));
  if (!held.ok) throw new Error(held.reason);
  const holdId = held.listing.hold!.holdId;
  const now = Date.now();
  const id = await storeJob({ kind: "erase_person", input: { phone: "0491 570 737", email: null } });
  await runSweeps(now);
  expect(await jobRow(id)).toMatchObject({ state: "waiting", result: { leads: 0 } });
  expect((await leadRow(lead.id)).customerName).toBe(ERASED_CUSTOMER.customerName);
  await exchange.decide({ type: "release", leadId: lead.id, holdId, cause: "closed" });
  await runSweeps(now + 60_000);
  expect(await jobRow(id)).toMatchObject({ state: "done", input: null });
  expect((await leadRow(lead.id)).customerName).toBe("Erased customer");
});

test("a person with more requests than one round takes is erased in several", async () => {
  const customer = { customerPhone: "0491 570 314", customerEmail: null };
  for (let i = 0; i < 51; i++) await insertPendingLead(db, customer);
  const { result } = await runJob({
    kind: "erase_person",
    input: { phone: customer.customerPhone, email: null },
  });
  expect(result).toMatchObject({ leads: 51 });
});

test("a number that is too short or missing erases nothing", async () => {
  const lead = await insertPendingLead(db, { customerPhone: "0491 570 156" });
  for (const input of [
    { phone: "570 156", email: null },
    { phone: null, email: null },
    { phone: null, email: "%" },
    {},
  ]) {
    expect(await runJob({ kind: "erase_person", input })).toMatchObject({ state: "failed", input: null });
  }
  expect((await leadRow(lead.id)).erasedAt).toBeNull();
});

test("after the retention period an unsold request loses its personal data, and no other row does", async () => {
  const now = Date.now();
  const long = now - 366 * DAY_MS;
  const old = { ...ERASED_CUSTOMER, customerPhone: "0491 570 158", customerEmail: null };
  const unsold = await insertPendingLead(db, old, long);
  await setLead(unsold.id, { status: "expired", listingState: "closed" });
  const kept = await insertPendingLead(db, old, long);
  await setLead(kept.id, { status: "sold", listingState: "closed" });
  const young = await insertPendingLead(db, old, now - 300 * DAY_MS);
  await setLead(young.id, { status: "expired", listingState: "closed" });
  const soldLongAgo = await insertPendingLead(db, old, now - 2_558 * DAY_MS);
  await setLead(soldLongAgo.id, { status: "sold", listingState: "closed" });
  const inspection = bookingRequest({
    serviceType: "pre_purchase_inspection",
    vehicle: "Ute",
    phone: "0491 570 158",
  });
  const { id: bookingId } = (await (await call("POST", "/api/bookings", { body: inspection })).json()) as {
    id: string;
  };
  await db.update(bookings).set({ createdAt: long }).where(eq(bookings.id, bookingId));

  await runSweeps(now, { ...testEnv, RETENTION_DAYS: "0", SOLD_RETENTION_DAYS: "0" });
  for (const { id } of [unsold, soldLongAgo]) expect((await leadRow(id)).erasedAt).toBeNull();
  await runSweeps(now);
  expect(await leadRow(unsold.id)).toMatchObject({
    customerName: "Erased customer",
    customerPhone: "",
    status: "expired",
    erasedAt: now,
  });
  expect(await leadRow(soldLongAgo.id)).toMatchObject({ customerName: "Erased customer", status: "sold" });
  expect((await leadRow(kept.id)).customerName).toBe(ERASED_CUSTOMER.customerName);
  expect((await leadRow(young.id)).customerName).toBe(ERASED_CUSTOMER.customerName);
  const [booking] = await db.select().from(bookings).where(eq(bookings.id, bookingId));
  expect(booking).toMatchObject({ name: "Erased customer", phone: "", vehicle: "", erasedAt: now });
  const line = (await auditEntries(unsold.id)).find(({ action }) => action === "lead.erased");
  expect(line).toMatchObject({ actorUserId: null, after: { reason: "retention", jobId: null } });
});

test("a full page of old requests that cannot be erased does not block later requests", async () => {
  const now = Date.now();
  const ids: string[] = [];
  for (let place = 0; place < 52; place++) {
    const { id } = await insertPendingLead(db, ERASED_CUSTOMER, now - 400 * DAY_MS + place);
    ids.push(id);
  }
  await db.update(leads).set({ status: "expired", listingState: "closed" }).where(inArray(leads.id, ids));
  const failing = new Set(ids.slice(0, 50));
  const exchange = {
    erase: ({ leadId }: { leadId: string }) =>
      failing.has(leadId) ? Promise.reject(new Error("Away")) : Promise.resolve({ erased: true }),
  };
  const LEAD_EXCHANGE = { idFromName: () => "", get: () => exchange } as unknown as Bindings["LEAD_EXCHANGE"];
  expect(await runSweep("retention", now, { ...testEnv, LEAD_EXCHANGE })).toEqual({
    anonymised: 2,
    failed: 50,
  });
  expect((await leadRow(ids[50]!)).customerName).toBe("Erased customer");
  await runSweep("retention", now);
  expect((await leadRow(ids[0]!)).customerName).toBe("Erased customer");
});

test("a former team member's account with the number is found and counted", async () => {
  const owner = await insertUser(db, { phone: "02 5550 0101" });
  const former = { phone: "0491 570 313", isActive: false, removedAt: Date.now() };
  const { id } = await insertTeamMember(db, owner, former);
  const input = { phone: "0491 570 313", email: null };
  expect((await runJob({ kind: "preview_erasure", input })).result).toMatchObject({ accountsLeft: 1 });
  expect((await runJob({ kind: "erase_person", input })).result).toMatchObject({ accountsLeft: 1 });
  const named = { phone: null, email: null, username: (await userRow(id)).username };
  expect((await runJob({ kind: "erase_person", input: named })).result).toMatchObject({ accounts: 1 });
  expect((await runJob({ kind: "erase_person", input })).result).toMatchObject({ accountsLeft: 0 });
});

test("a visitor can submit an erased request again", async () => {
  const request = quoteRequest({ submissionId: "erased-submission-1", customerPhone: "0491 570 159" });
  const first = (await (await callWith({}, "POST", "/api/leads", { body: request })).json()) as {
    id: string;
  };
  await runJob({ kind: "erase_person", input: { phone: "0491 570 159", email: null } });
  const second = (await (await callWith({}, "POST", "/api/leads", { body: request })).json()) as {
    id: string;
  };
  expect(second.id).not.toBe(first.id);
});
