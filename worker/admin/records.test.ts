/** The admin's lists: leads, bookings, payments, what needs attention, suburbs and the log itself. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { AdminBooking } from "../../contract/bookings.ts";
import type { AdminLead } from "../../contract/admin-leads.ts";
import type { AdminPayment } from "../../contract/payments.ts";
import type { AdminSuburb } from "../../contract/suburbs.ts";
import type { AuditLine } from "../../contract/audit.ts";
import { attention, auditLog, suburbs } from "../db/schema.ts";
import { raiseAttention } from "../attention/commands.ts";
import { callerFor, db } from "../../testing/client.ts";
import {
  insertBooking,
  insertManualPurchase,
  insertPayment,
  insertPendingLead,
  insertUser,
} from "../../testing/world.ts";

const admin = await insertUser(db, { isSuperAdmin: true, firstName: "Alex", lastName: "Admin" });
const asAdmin = await callerFor(admin.id);

async function list<Row>(path: string): Promise<Row[]> {
  const response = await asAdmin("GET", path);
  expect(response.status).toBe(200);
  return (await response.json()) as Row[];
}

const findSuburbs = (query: string) => list<AdminSuburb>(`/api/super-admin/suburbs?${query}`);
const findLines = (query: string) => list<AuditLine>(`/api/super-admin/audit?${query}`);

/** All pages of a list. */
async function pages<Row>(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = path; next;) {
    const response: Response = await asAdmin("GET", next);
    rows.push(...((await response.json()) as Row[]));
    next = /<([^>]+)>/.exec(response.headers.get("Link") ?? "")?.[1] ?? null;
  }
  return rows;
}

test("leads of every state are listed with all there is to know, and filtered", async () => {
  const owner = await insertUser(db, { companyName: "Mown & Co" });
  const waiting = await insertPendingLead(db);
  const odd = await insertPendingLead(db, { customerPhone: "0491 570 313" }, Date.now(), ["duplicate"]);
  await insertManualPurchase(db, owner, { stage: "called", startedAt: Date.now() });
  const ids = async (query: string) =>
    (await list<AdminLead>(`/api/super-admin/leads${query}`)).map(({ id }) => id);
  expect(await ids("")).toEqual(expect.arrayContaining([waiting.id, odd.id]));
  expect(await ids("?state=quarantined")).toEqual([odd.id]);
  expect(await ids("?state=pending")).toEqual([waiting.id]);
  expect(await ids("?state=pending&region=macarthur")).toEqual([]);
  expect(await ids(`?q=${waiting.id}`)).toEqual([waiting.id]);
  expect(await ids("?q=%2B61491570313")).toEqual([odd.id]);
  expect(await ids("?q=Leichhardt")).toEqual([]);
  const [own] = await list<AdminLead>("/api/super-admin/leads?state=private");
  expect(own).toMatchObject({
    source: "manual",
    customerEmail: "anna.brown@example.com",
    buyer: { businessId: owner.id, name: "Mown & Co", mode: "manual", amountPaid: "0.00" },
  });
});

test("leads go on page by page, none twice and none left out", async () => {
  const at = Date.now();
  const made = [];
  for (let i = 0; i < 5; i++)
    made.push((await insertPendingLead(db, { customerAddress: "1 Main Rd, Tibooburra" }, at)).id);
  const seen = await pages<AdminLead>("/api/super-admin/leads?region=central-and-far-west&limit=2");
  expect(seen.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
});

test("an inspection booking is marked handled, logged once, and can be reopened", async () => {
  const id = await insertBooking(db, { suburbId: "sub_manly" });
  await insertBooking(db, { leadId: "lead_nsw_00000000000000000000", serviceType: "lawn_mowing" });
  const open = () => list<AdminBooking>("/api/super-admin/bookings?open=yes");
  expect(await open()).toMatchObject([{ id, suburbName: "Manly", handledAt: null }]);
  const path = `/api/super-admin/bookings/${id}/handled`;
  for (let i = 0; i < 2; i++) expect((await asAdmin("POST", path, { handled: true })).status).toBe(200);
  expect(await open()).toEqual([]);
  const [handled] = await list<AdminBooking>("/api/super-admin/bookings");
  expect(handled).toMatchObject({ id, handledBy: "Alex Admin", handledAt: expect.any(Number) });
  await asAdmin("POST", path, { handled: false });
  expect(await open()).toHaveLength(1);
  const lines = await db.select().from(auditLog).where(eq(auditLog.subjectId, id));
  expect(lines.map(({ action }) => action)).toEqual(["booking.handled", "booking.reopened"]);
  expect(
    (await asAdmin("POST", "/api/super-admin/bookings/bkg_00000000/handled", { handled: true })).status,
  ).toBe(404);
});

test("the ledger is listed with Stripe's ids and found by any of them", async () => {
  const owner = await insertUser(db, { companyName: "Ledger Lawns" });
  const lead = await insertPendingLead(db);
  const id = await insertPayment(db, owner, lead.id);
  const [payment] = await list<AdminPayment>(`/api/super-admin/payments?q=${lead.id}`);
  expect(payment).toMatchObject({ id, buyerName: "Ledger Lawns", amount: "50.00", leadId: lead.id });
  for (const q of [payment!.holdId, payment!.stripePaymentIntentId!, id]) {
    expect(await list<AdminPayment>(`/api/super-admin/payments?q=${q}`)).toMatchObject([{ id }]);
  }
  expect(await list(`/api/super-admin/payments?q=nothing`)).toEqual([]);
});

test("what needs attention is resolved by name, logged, and comes back if it happens again", async () => {
  const item = { kind: "refund_failed", subjectId: "pay_records00000000" };
  const raise = (now: number) => raiseAttention(db, item.kind, item.subjectId, "Still owed", now);
  const open = () => list<{ subjectId: string; since: number }>("/api/super-admin/attention");
  await raise(1);
  await raise(2);
  expect(await open()).toMatchObject([{ ...item, since: 1 }]);
  expect((await asAdmin("POST", "/api/super-admin/attention/resolve", item)).status).toBe(200);
  expect(await open()).toEqual([]);
  expect((await asAdmin("POST", "/api/super-admin/attention/resolve", item)).status).toBe(404);
  expect(await list("/api/super-admin/attention?resolved=yes")).toMatchObject([item]);
  await raise(3);
  expect(await open()).toMatchObject([{ ...item, since: 3 }]);
  const lines = await db.select().from(auditLog).where(eq(auditLog.subjectId, item.subjectId));
  expect(lines).toMatchObject([{ action: "attention.resolve", actorUserId: admin.id }]);
  await db.delete(attention);
});

test("suburbs are found by the beginning of their name or by postcode, and changed with a trail", async () => {
  expect((await findSuburbs("q=leich")).map(({ name }) => name)).toEqual(["Leichhardt"]);
  expect((await findSuburbs("q=2040")).map(({ postcode }) => postcode)).toEqual(["2040", "2040"]);
  expect(await findSuburbs("q=%25")).toEqual([]);
  const path = "/api/super-admin/suburbs/sub_leichhardt";
  const changed = await asAdmin("PATCH", path, { priceFrom: 61, phone: "02 5550 0199", description: "" });
  expect(await changed.json()).toMatchObject({ priceFrom: 61, phone: "02 5550 0199", description: null });
  const [row] = await db.select().from(suburbs).where(eq(suburbs.id, "sub_leichhardt"));
  expect(row).toMatchObject({ priceFrom: 61, phone: "02 5550 0199", isActive: true });
  await asAdmin("PATCH", path, { isActive: false });
  expect(await findSuburbs("q=leich&active=yes")).toEqual([]);
  const lines = await db.select().from(auditLog).where(eq(auditLog.subjectId, "sub_leichhardt"));
  expect(lines).toMatchObject([
    {
      action: "suburb.change",
      before: { priceFrom: 49 },
      after: { priceFrom: 61, texts: ["description", "phone"] },
    },
    { action: "suburb.change", before: { isActive: true }, after: { isActive: false } },
  ]);
  expect(JSON.stringify(lines)).not.toContain("5550");
});

test("suburbs go on page by page, none twice and none left out", async () => {
  const seen = await pages<AdminSuburb>("/api/super-admin/suburbs?q=mo&limit=25");
  const all = await db.select().from(suburbs);
  const expected = all.filter(({ name }) => name.toLowerCase().startsWith("mo"));
  expect(seen.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
});

test("the log is filtered by person, action, subject and time, and names people as they are today", async () => {
  const target = await insertUser(db, { firstName: "Tara", lastName: "Target" });
  const path = `/api/super-admin/providers/${target.id}`;
  for (const isVerified of [true, false]) await asAdmin("PATCH", path, { isVerified });
  const [latest, first] = await findLines(`subjectId=${target.id}`);
  expect(latest).toMatchObject({
    action: "user.unverify",
    actor: { id: admin.id, name: "Alex Admin" },
    as: null,
    before: { isVerified: true },
    after: { isVerified: false },
  });
  expect(first!.action).toBe("user.verify");
  expect(await findLines(`subjectId=${target.id}&action=user.verify`)).toHaveLength(1);
  expect(await findLines(`subjectId=${target.id}&action=user`)).toHaveLength(2);
  expect(await findLines(`subjectId=${target.id}&action=use`)).toEqual([]);
  expect(await findLines(`subjectId=${target.id}&from=${Date.now() + 1_000}`)).toEqual([]);
  expect(await findLines(`subjectId=${target.id}&to=${first!.at}`)).toEqual([]);
  expect((await findLines(`userId=${admin.id}`)).length).toBeGreaterThanOrEqual(2);
  expect(await pages<AuditLine>(`/api/super-admin/audit?subjectId=${target.id}&limit=1`)).toHaveLength(2);
});

test("the log is exported whole, with nothing a spreadsheet would run", async () => {
  const target = await insertUser(db, {
    firstName: "=HYPERLINK(1)",
    lastName: 'Quote "Q"',
    isSuperAdmin: true,
  });
  const asTarget = await callerFor(target.id);
  const other = await insertUser(db);
  await asTarget("PATCH", `/api/super-admin/providers/${other.id}`, { isVerified: true });
  const response = await asAdmin("GET", `/api/super-admin/audit.csv?subjectId=${other.id}`);
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("Content-Disposition")).toContain("attachment");
  const [head, line, end] = (await response.text()).split("\r\n");
  expect(head).toBe(
    '"id","at","who","who_id","as","as_id","action","subject_type","subject_id","before","after","request_id"',
  );
  expect(line).toContain(`"'=HYPERLINK(1) Quote ""Q""","${target.id}"`);
  expect(line).toContain('"{""isVerified"":true}"');
  expect(end).toBe("");
});

test("nobody changes the log, not even with the database in hand", async () => {
  await expect(db.update(auditLog).set({ action: "nothing" })).rejects.toThrow(/./);
  await expect(db.delete(auditLog)).rejects.toThrow(/./);
});

test("the address of a list's next page carries what the list reads, and nothing else of the one before", async () => {
  await insertPendingLead(db);
  await insertPendingLead(db);
  const path = `/api/super-admin/leads?limit=1&state=pending&utm_source=${"x".repeat(5_000)}`;
  const link = (await asAdmin("GET", path)).headers.get("Link")!;
  expect([...new URL(/<(.+)>/.exec(link)![1]!, "http://a.test").searchParams.keys()].toSorted()).toEqual([
    "cursor",
    "limit",
    "state",
  ]);
});
