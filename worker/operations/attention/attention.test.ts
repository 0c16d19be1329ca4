/** Problems that need a super admin's attention. */
import { eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";

import { DAY_MS } from "../../../contract/durations.ts";

import {
  attention,
  leadPurchases,
  messages,
  payments,
  providerChecks,
  providerProfiles,
} from "../../tables.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { insertClockedSale } from "../../../testing/clocked-sales.ts";
import { db, testEnv } from "../../../testing/client.ts";
import { deliverMessages, raise, runSweep } from "../../../testing/drivers.ts";
import { auditEntries, purchaseRow, setLead, setPurchase, setUser } from "../../../testing/facts.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import {
  insertAbnCheck,
  insertPayment,
  insertPendingLead,
  insertProfile,
  insertUser,
} from "../../../testing/world.ts";

const { admin, asAdmin, list } = await insertAdmin();

test("a problem is resolved by an admin, logged, and raised again if it recurs", async () => {
  const item = { kind: "refund_failed", subjectId: "pay_records00000000" };
  const raiseAt = (now: number) => raise(item.kind, item.subjectId, "Still owed", now);
  const open = () => list<{ subjectId: string; since: number }>("/api/super-admin/attention");
  await raiseAt(1);
  await raiseAt(2);
  expect(await open()).toMatchObject([{ ...item, since: 1 }]);
  expect((await asAdmin("POST", "/api/super-admin/attention/resolve", item)).status).toBe(200);
  expect(await open()).toEqual([]);
  expect((await asAdmin("POST", "/api/super-admin/attention/resolve", item)).status).toBe(404);
  expect(await list("/api/super-admin/attention?resolved=yes")).toMatchObject([item]);
  await raiseAt(3);
  expect(await open()).toMatchObject([{ ...item, since: 3 }]);
  const lines = await auditEntries(item.subjectId);
  expect(lines).toMatchObject([{ action: "attention.resolve", actorUserId: admin.id }]);
  await db.delete(attention);
});

/** Runs the sweep at a time. Returns the kinds of the alerts that are still open. */
async function openAfter(at: number): Promise<string[]> {
  await runSweep("attention_sweep", at);
  return (await db.select().from(attention).where(isNull(attention.resolvedAt))).map(({ kind }) => kind);
}

test("an alert closes itself when its fault is gone, and not before", async () => {
  const owner = await insertUser(db);
  const now = Date.now();
  const lead = await insertPendingLead(db);
  const other = await insertPendingLead(db);
  const payment = await insertPayment(db, owner, lead.id, { state: "refund_pending", slot: 1 });
  const purchaseId = await insertClockedSale(db, owner, {
    purchasedAt: now,
    callClock: { state: "over", answer: "never_asked", answeredAt: now },
  });
  // A withdrawn lead closes no other lead's alerts.
  await setLead(other.id, { status: "withdrawn" });
  const sale = await purchaseRow(purchaseId);
  const raised: [kind: string, subjectId: string][] = [
    ["held_in_vain", lead.id],
    ["release_stuck", lead.id],
    ["rescue_needed", lead.id],
    ["refund_failed", payment],
    ["refund_came_back", payment],
    ["never_asked", sale.leadId],
    ["newcomer_share", "macarthur"],
    ["sale_conflict", lead.id],
  ];
  for (const [kind, subjectId] of raised) await raise(kind, subjectId, "A fault", now);
  expect(await openAfter(now)).toHaveLength(raised.length);

  await db.update(payments).set({ slot: null, state: "refunded" });
  await db.update(leadPurchases).set({ callClock: { state: "running", answer: "not_yet", answeredAt: now } });
  expect((await openAfter(now)).toSorted()).toEqual([
    "held_in_vain",
    "newcomer_share",
    "rescue_needed",
    "sale_conflict",
  ]);
  await setLead(lead.id, { status: "withdrawn" });
  expect((await openAfter(now)).toSorted()).toEqual(["newcomer_share", "sale_conflict"]);
  // The exchange raises it again with the next provider whom it turns away.
  expect(await openAfter(now + DAY_MS + 1)).toEqual(["sale_conflict"]);
  await db.delete(attention);
});

/** Raises an alert, and checks that it stays open now and is closed after a change. */
async function expectClosedBy(kind: string, subjectId: string, change: () => Promise<unknown>) {
  await raise(kind, subjectId, "A fault", Date.now());
  expect(await openAfter(Date.now())).toEqual([kind]);
  await change();
  expect(await openAfter(Date.now())).toEqual([]);
}

const deactivate = (id: string) => setUser(id, { isActive: false });

/** Inserts two accounts with the same phone number. */
async function insertPair() {
  const [old, fresh] = [await insertUser(db), await insertUser(db)];
  for (const [{ id }, createdAt] of [
    [old, 1],
    [fresh, 2],
  ] as const)
    await setUser(id, { phoneKey: `+6149157${fresh.id}`, createdAt });
  return { old, fresh };
}

test("an alert about two accounts of one person stays when the old one is deactivated, until the new one is", async () => {
  const { old, fresh } = await insertPair();
  await deactivate(old.id);
  await expectClosedBy("same_person", fresh.id, () => deactivate(fresh.id));
});

test("an alert about two accounts of one person stays open when they no longer match", async () => {
  const { id } = await insertUser(db);
  await raise("same_person", id, "A fault", Date.now());
  expect(await openAfter(Date.now())).toEqual(["same_person"]);
  await db.delete(attention);
});

test("an alert about a reported page closes when an admin hides the page, or the account is closed", async () => {
  const [hidden, closed] = [await insertUser(db), await insertUser(db)];
  for (const owner of [hidden, closed]) await insertProfile(db, owner);
  const hide = () =>
    db
      .update(providerProfiles)
      .set({ hiddenAt: Date.now(), hiddenReason: "It names someone else" })
      .where(eq(providerProfiles.businessId, hidden.id));
  await expectClosedBy("page_reported", hidden.id, hide);
  await expectClosedBy("page_reported", closed.id, () => deactivate(closed.id));
});

test("an alert about a new name closes when the business has no valid check any more", async () => {
  const { id } = await insertUser(db);
  await insertAbnCheck(db, id);
  await expectClosedBy("checked_name_changed", id, () =>
    db.update(providerChecks).set({ state: "ended" }).where(eq(providerChecks.businessId, id)),
  );
});

test.each([
  ["the customer says that they were called", { callClock: { state: "over", answer: "called" } }],
  ["the purchase is refunded", { paymentStatus: "refunded" }],
  ["the purchase is removed", { removedAt: 1 }],
] as const)("an alert about a contact log closes when %s", async (_, change) => {
  const now = Date.now();
  const id = await insertClockedSale(db, await insertUser(db), {
    purchasedAt: now,
    callClock: { state: "over", answer: "not_yet", answeredAt: now },
  });
  const { leadId } = await purchaseRow(id);
  await expectClosedBy("call_log_review", leadId, () => setPurchase(id, change));
});

const raiseRefund = (id: string) => raise("refund_failed", id, "Still owed", 1);

test("if email is set up, super admins get one email about each problem, and another if it recurs", async () => {
  await insertUser(db, { isSuperAdmin: true, email: "alex@example.com" });
  await insertUser(db, { isSuperAdmin: true, email: "gone@example.com", isActive: false });
  await insertUser(db, { email: "pat@example.com" });
  const { sent, changed } = mailbox();
  const sweep = (env = changed) => runSweep("attention_sweep", Date.now(), { ...testEnv, ...env });
  await raiseRefund("pay_1");
  await raiseRefund("pay_2");
  expect(await sweep({})).toEqual({ told: 0, failed: 0 });
  const broken = mailbox({ isFailing: true });
  expect(await sweep(broken.changed)).toEqual({ told: 2, failed: 1 });
  const inAMinute = Date.now() + 60_000;
  const env = { ...testEnv, ...changed };
  await Promise.all([sweep(), deliverMessages(inAMinute, env), deliverMessages(inAMinute, env)]);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    to: "alex@example.com",
    subject: "2 things need your attention at Naturestrip",
  });
  expect(sent[0]!.text).toContain("- Still owed (pay_1)");
  await raiseRefund("pay_1");
  await sweep();
  expect(sent).toHaveLength(1);
  await asAdmin("POST", "/api/super-admin/attention/resolve", { kind: "refund_failed", subjectId: "pay_1" });
  await raiseRefund("pay_1");
  await sweep();
  expect(sent[1]).toMatchObject({ subject: "One thing needs your attention at Naturestrip" });
  await db.delete(attention);
});

test("two runs in one millisecond report each item once, in the email of its own run", async () => {
  await db.delete(messages);
  await insertUser(db, { isSuperAdmin: true, email: "sam@example.com" });
  const { sent, changed } = mailbox();
  const env = { ...testEnv, ...changed };
  const now = Date.now();
  await raiseRefund("pay_3");
  await runSweep("attention_sweep", now, env);
  await raiseRefund("pay_4");
  await runSweep("attention_sweep", now, env);
  const toSam = sent.filter(({ to }) => to === "sam@example.com");
  expect(toSam.map(({ text }) => text.match(/pay_\d/g))).toEqual([["pay_3"], ["pay_4"]]);
  await db.delete(attention);
});

test("an alert about a payment that doesn't match closes after its refund, but not before admins got it", async () => {
  const lead = await insertPendingLead(db);
  const payment = await insertPayment(db, await insertUser(db), lead.id, { state: "refund_pending" });
  await raise("payment_mismatch", lead.id, "A fault", Date.now());
  await db.update(attention).set({ toldAt: 1 });
  expect(await openAfter(Date.now())).toEqual(["payment_mismatch"]);
  await db.update(payments).set({ state: "refunded" }).where(eq(payments.id, payment));
  await db.update(attention).set({ toldAt: null });
  expect(await openAfter(Date.now())).toEqual(["payment_mismatch"]);
  await runSweep("attention_sweep", Date.now(), { ...testEnv, ...mailbox().changed });
  expect(await openAfter(Date.now())).toEqual([]);
  await db.delete(attention);
});
