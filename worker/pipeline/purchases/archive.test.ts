import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { startOfSydneyDay } from "../../../contract/sydney-time.ts";
import { pipelineCounts, stageChanges } from "../../tables.ts";
import { callerFor, db } from "../../../testing/client.ts";
import { auditEntries, leadRow, purchaseRow, setPurchase } from "../../../testing/facts.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../../../testing/world.ts";
import type { Purchase } from "../../selling/purchases/views.ts";

const owner = await insertUser(db);
const member = await insertTeamMember(db, owner);
const admin = await insertUser(db, { isSuperAdmin: true });
const asOwner = await callerFor(owner.id);
const asMember = await callerFor(member.id);
const asAdmin = await callerFor(admin.id);

const newPurchase = (stage: Parameters<typeof insertManualPurchase>[2]["stage"]) =>
  insertManualPurchase(db, owner, { stage, startedAt: 1_790_000_000_000 });

async function boughtPurchase() {
  const id = await newPurchase("called");
  await setPurchase(id, { mode: "stripe", amountPaidCents: 5000 });
  return id;
}

const post = async (id: string, verb: string, as = asOwner) =>
  (await (await as("POST", `/api/lead-purchases/${id}/${verb}`)).json()) as Purchase;

const logOf = (id: string) => auditEntries(id);

async function countsOf(businessId: string): Promise<Record<string, number>> {
  const rows = await db.select().from(pipelineCounts).where(eq(pipelineCounts.businessId, businessId));
  return Object.fromEntries(rows.filter((row) => row.purchases > 0).map((row) => [row.tile, row.purchases]));
}

test("archiving a paid job finalises it, archiving any other closes it, and both can be restored", async () => {
  const paid = await newPurchase("invoice_paid");
  const open = await newPurchase("quote_sent");
  expect(await post(paid, "archive")).toMatchObject({ isArchived: true, finalisedAt: expect.any(Number) });
  expect(await post(open, "archive")).toMatchObject({
    isArchived: true,
    archivedAt: expect.any(Number),
    finalisedAt: null,
    salesStage: "quote_sent",
  });
  for (const [id, salesStage] of [
    [paid, "invoice_paid"],
    [open, "quote_sent"],
  ] as const) {
    expect(await post(id, "restore")).toMatchObject({
      isArchived: false,
      archivedAt: null,
      finalisedAt: null,
      salesStage,
    });
  }
});

test("archiving and restoring twice changes and logs nothing more", async () => {
  const id = await newPurchase("invoice_paid");
  const first = await post(id, "archive");
  expect(await post(id, "archive")).toEqual(first);
  const back = await post(id, "restore");
  expect(await post(id, "restore")).toEqual(back);
  const log = await logOf(id);
  expect(log.map(({ action }) => action)).toEqual(["purchase.archive", "purchase.restore"]);
  expect(log[0]).toMatchObject({ actorUserId: owner.id, before: { salesStage: "invoice_paid" } });
});

test("an archived purchase is read-only until it is restored", async () => {
  const id = await newPurchase("called");
  await post(id, "archive");
  const before = await purchaseRow(id);
  for (const body of [{ salesStage: "quote_sent" }, { salesNotes: "x" }, { customerPaymentAmount: "1" }]) {
    const response = await asMember("PATCH", `/api/lead-purchases/${id}/sales-stage`, body);
    expect(await response.json()).toMatchObject({ status: 409, code: "purchase_closed" });
  }
  expect(await purchaseRow(id)).toEqual(before);
});

test("a change is always later than the previous one, even if another Worker's clock is ahead", async () => {
  const id = await newPurchase("called");
  const ahead = Date.now() + 60_000;
  await setPurchase(id, { updatedAt: ahead });
  await asMember("PATCH", `/api/lead-purchases/${id}/sales-stage`, { salesStage: "quote_sent" });
  expect(await purchaseRow(id)).toMatchObject({ updatedAt: ahead + 1 });
  expect(await post(id, "archive")).toMatchObject({ updatedAt: ahead + 2 });
});

test("an owner can remove what they added, but not what they bought; the row and its lead stay", async () => {
  const [added, bought] = [await newPurchase("called"), await boughtPurchase()];
  expect((await asOwner("DELETE", `/api/lead-purchases/${added}`)).status).toBe(204);
  expect((await asOwner("DELETE", `/api/lead-purchases/${bought}`)).status).toBe(403);
  expect((await asMember("DELETE", `/api/lead-purchases/${bought}`)).status).toBe(403);
  expect((await asOwner("GET", `/api/lead-purchases/${added}`)).status).toBe(404);
  const { leadId, removedAt } = await purchaseRow(added);
  expect(removedAt).not.toBeNull();
  const lead = await leadRow(leadId);
  expect(lead).toMatchObject({ listingState: "private", status: "sold" });
  expect((await purchaseRow(bought)).removedAt).toBeNull();
});

test("the user who removed a lead can undo it for a few minutes, with its notes; no other user can", async () => {
  const id = await newPurchase("called");
  const before = await purchaseRow(id);
  await asOwner("DELETE", `/api/lead-purchases/${id}`);
  expect((await asMember("POST", `/api/lead-purchases/${id}/restore`)).status).toBe(403);
  expect(await post(id, "restore")).toMatchObject({ id, salesStage: "called" });
  expect(await purchaseRow(id)).toEqual({ ...before, updatedAt: expect.any(Number) });
  expect((await logOf(id)).map(({ action }) => action)).toEqual(["purchase.remove", "purchase.unremove"]);

  const restored = async () => (await asOwner("POST", `/api/lead-purchases/${id}/restore`)).status;
  await asOwner("DELETE", `/api/lead-purchases/${id}`);
  await setPurchase(id, { removedAt: Date.now() - 10 * 60_000 });
  expect(await restored()).toBe(404);
  const other = await newPurchase("called");
  await asAdmin("DELETE", `/api/lead-purchases/${other}`);
  expect((await asOwner("POST", `/api/lead-purchases/${other}/restore`)).status).toBe(404);
});

test("a super admin removes a bought lead from any pipeline, and the log names the business", async () => {
  const id = await boughtPurchase();
  expect((await asAdmin("DELETE", `/api/lead-purchases/${id}`)).status).toBe(204);
  expect((await asOwner("GET", `/api/lead-purchases/${id}`)).status).toBe(404);
  expect(await logOf(id)).toMatchObject([
    { action: "purchase.remove", actorUserId: admin.id, after: { businessId: owner.id, mode: "stripe" } },
  ]);
});

test("the tiles' counts follow every move", async () => {
  const business = await insertUser(db);
  const as = await callerFor(business.id);
  const ids: string[] = [];
  for (const stage of ["accepted_lead", "accepted_lead", "invoice_paid"] as const)
    ids.push(await insertManualPurchase(db, business, { stage, startedAt: 1_790_000_000_000 }));
  expect(await countsOf(business.id)).toEqual({ accepted_lead: 2, invoice_paid: 1 });
  await as("PATCH", `/api/lead-purchases/${ids[0]}/sales-stage`, { salesStage: "declined" });
  await as("POST", `/api/lead-purchases/${ids[2]}/archive`);
  expect(await countsOf(business.id)).toEqual({ accepted_lead: 1, declined: 1, final: 1 });
  await as("POST", `/api/lead-purchases/${ids[2]}/restore`);
  await as("DELETE", `/api/lead-purchases/${ids[1]}`);
  expect(await countsOf(business.id)).toEqual({ declined: 1, invoice_paid: 1 });
  // A stage from another release has its own count. The dashboard adds that count to Leads, where it shows the
  // purchase.
  await setPurchase(ids[0]!, { salesStage: "safety_check" });
  expect(await countsOf(business.id)).toEqual({ safety_check: 1, invoice_paid: 1 });
  const shown = (await (await as("GET", "/api/pipeline?tile=accepted_lead")).json()) as {
    items: { id: string; salesStage: string }[];
    counts: Record<string, number>;
  };
  expect(shown.items).toMatchObject([{ id: ids[0], salesStage: "accepted_lead" }]);
  expect(shown.counts).toMatchObject({ accepted_lead: 1, invoice_paid: 1 });
  await setPurchase(ids[0]!, { removedAt: 1 });
  expect(await countsOf(business.id)).toEqual({ invoice_paid: 1 });
});

test("a purchase is returned with its lead, its history and its notes' author", async () => {
  const id = await newPurchase("accepted_lead");
  await asMember("PATCH", `/api/lead-purchases/${id}/sales-stage`, {
    salesStage: "called",
    salesNotes: "Rang.",
  });
  const detail = await (await asOwner("GET", `/api/lead-purchases/${id}`)).json();
  expect(detail).toMatchObject({
    id,
    customerName: "Anna Brown",
    notesBy: `Terry ${member.lastName}`,
    history: [
      { fromStage: null, toStage: "accepted_lead", changedBy: `Pat ${owner.lastName}` },
      { fromStage: "accepted_lead", toStage: "called", changedBy: `Terry ${member.lastName}` },
    ],
  });
});

test("the newest changes of a long history are returned, oldest first", async () => {
  const id = await newPurchase("accepted_lead");
  const start = Date.now() + 1_000;
  const move = (n: number) =>
    db.insert(stageChanges).values({
      purchaseId: id,
      fromStage: "accepted_lead",
      toStage: "called",
      changedByUserId: owner.id,
      changedAt: start + n,
    });
  const [first, ...rest] = Array.from({ length: 205 }, (_, n) => move(n));
  await db.batch([first!, ...rest]);
  const detail = await (await asOwner("GET", `/api/lead-purchases/${id}`)).json();
  const { history } = detail as { history: { changedAt: number }[] };
  expect(history.map(({ changedAt }) => changedAt - start)).toEqual(
    Array.from({ length: 200 }, (_, n) => n + 5),
  );
});

test("a next action has a date and a note; clearing the date clears the note too", async () => {
  const id = await newPurchase("called");
  const nextActionAt = startOfSydneyDay("2026-12-01")!;
  const patch = async (body: unknown) =>
    (await (await asMember("PATCH", `/api/lead-purchases/${id}/sales-stage`, body)).json()) as Purchase;
  expect(await patch({ nextActionAt, nextActionNote: "Ring about the hedge" })).toMatchObject({
    nextActionAt,
    nextActionNote: "Ring about the hedge",
    salesStage: "called",
  });
  expect(await patch({ nextActionNote: "Ring twice" })).toMatchObject({
    nextActionAt,
    nextActionNote: "Ring twice",
  });
  expect(await patch({ nextActionAt: null })).toMatchObject({ nextActionAt: null, nextActionNote: null });
});

test("the log records moves and amounts, but never what users wrote", async () => {
  const id = await newPurchase("called");
  const path = `/api/lead-purchases/${id}/sales-stage`;
  await asMember("PATCH", path, {
    salesStage: "quote_sent",
    salesNotes: "Secret gate code",
    customerPaymentAmount: "99",
  });
  await asMember("PATCH", path, { salesNotes: "Only notes" });
  await asMember("PATCH", path, { salesNotes: "Too late", notesVersion: 0, salesStage: "declined" });
  const log = await logOf(id);
  expect(log).toHaveLength(1);
  expect(log[0]).toMatchObject({
    action: "purchase.update",
    actorUserId: member.id,
    before: { salesStage: "called", customerPaymentAmountCents: null },
    after: { salesStage: "quote_sent", customerPaymentAmount: "99.00", salesNotes: "changed" },
  });
  expect(JSON.stringify(log)).not.toContain("gate code");
});
