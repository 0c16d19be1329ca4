import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { SALES_STAGES } from "../../../contract/stages.ts";
import { stageChanges } from "../../tables.ts";
import { callerFor, db } from "../../../testing/client.ts";
import { purchaseRow, setPurchase } from "../../../testing/facts.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../../../testing/world.ts";
import type { Purchase } from "../../selling/purchases/views.ts";

const owner = await insertUser(db);
const member = await insertTeamMember(db, owner);
const asOwner = await callerFor(owner.id);
const asMember = await callerFor(member.id);

const newPurchase = (input: Partial<Parameters<typeof insertManualPurchase>[2]> = {}) =>
  insertManualPurchase(db, owner, { stage: "accepted_lead", startedAt: 1_790_000_000_000, ...input });

const historyOf = (id: string) =>
  db.select().from(stageChanges).where(eq(stageChanges.purchaseId, id)).orderBy(asc(stageChanges.id));

function patch(id: string, body: unknown, as: typeof asOwner = asOwner) {
  return as("PATCH", `/api/lead-purchases/${id}/sales-stage`, body);
}

async function patched(id: string, body: unknown, as: typeof asOwner = asOwner): Promise<Purchase> {
  const response = await patch(id, body, as);
  expect(response.status).toBe(200);
  return (await response.json()) as Purchase;
}

const TIMES = {
  called: "calledAt",
  quote_sent: "quoteSentAt",
  job_booked: "jobBookedAt",
  job_complete: "jobCompleteAt",
  invoice_sent: "invoiceSentAt",
  invoice_paid: "invoicePaidAt",
  declined: "declinedAt",
} as const;

test("a purchase moves through every stage, each with its time, author and history entry", async () => {
  const id = await newPurchase();
  const before = Date.now();
  for (const salesStage of SALES_STAGES.slice(1)) {
    const purchase = await patched(id, { salesStage }, asMember);
    expect(purchase).toMatchObject({ id, salesStage });
    const time = purchase[TIMES[salesStage as keyof typeof TIMES]];
    expect(time, salesStage).toBeGreaterThanOrEqual(before);
    expect(time, salesStage).toBeLessThanOrEqual(Date.now());
  }
  const history = await historyOf(id);
  expect(history.map(({ fromStage, toStage }) => [fromStage, toStage])).toEqual(
    SALES_STAGES.map((stage, i) => [SALES_STAGES[i - 1] ?? null, stage]),
  );
  for (const entry of history.slice(1)) {
    expect(entry.changedByUserId).toBe(member.id);
    expect(entry.changedAt).toBeGreaterThanOrEqual(before);
  }
});

test("a double click on a stage adds one history entry", async () => {
  const id = await newPurchase();
  await Promise.all([1, 2, 3].map(() => patched(id, { salesStage: "called" })));
  expect(await historyOf(id)).toHaveLength(2);
});

test("an unknown or display-only stage is rejected and changes nothing", async () => {
  const id = await newPurchase();
  const before = await purchaseRow(id);
  for (const salesStage of ["finalised", "safety_check", "", null, 7, "CALLED", "toString"]) {
    const response = await patch(id, { salesStage, salesNotes: "lost?" });
    expect(await response.json()).toMatchObject({ status: 400, errors: { salesStage: expect.any(String) } });
  }
  expect(await purchaseRow(id)).toEqual(before);
});

test("omitted fields stay, and null clears the amount and the notes", async () => {
  const id = await newPurchase({ stage: "called", notes: "Ring twice.", customerPaidCents: 12_000 });
  const kept = { salesStage: "called", salesNotes: "Ring twice.", customerPaymentAmount: "120.00" };
  expect(await patched(id, { salesNotes: "Ring once." })).toMatchObject({
    ...kept,
    salesNotes: "Ring once.",
  });
  expect(await patched(id, { customerPaymentAmount: "130" })).toMatchObject({
    ...kept,
    salesNotes: "Ring once.",
    customerPaymentAmount: "130.00",
  });
  expect(await patched(id, { salesStage: "declined" })).toMatchObject({
    salesStage: "declined",
    salesNotes: "Ring once.",
    customerPaymentAmount: "130.00",
  });
  expect(await patched(id, { customerPaymentAmount: null })).toMatchObject({ customerPaymentAmount: null });
  expect(await patched(id, { salesNotes: null })).toMatchObject({ salesNotes: null, salesStage: "declined" });
});

test("amounts are strings as people write them, and an unreadable one changes nothing", async () => {
  const id = await newPurchase();
  for (const [customerPaymentAmount, shown] of [
    ["1,200", "1200.00"],
    [" 99999999.99 ", "99999999.99"],
  ] as const)
    expect((await patched(id, { customerPaymentAmount })).customerPaymentAmount).toBe(shown);
  for (const bad of [120, "1.234"]) {
    const response = await patch(id, { customerPaymentAmount: bad });
    expect(await response.json(), String(bad)).toMatchObject({
      status: 400,
      errors: { customerPaymentAmount: expect.any(String) },
    });
  }
  expect((await purchaseRow(id)).customerPaymentAmountCents).toBe(9_999_999_999);
});

test("a body that changes nothing is rejected", async () => {
  const id = await newPurchase();
  const before = await purchaseRow(id);
  for (const body of [{}, { notesVersion: 0 }, { isArchived: true, buyerId: "user_x" }]) {
    const response = await patch(id, body);
    expect(await response.json(), JSON.stringify(body)).toMatchObject({ status: 400, code: "invalid_input" });
  }
  expect(await purchaseRow(id)).toEqual(before);
});

test("only stage, notes, amount and next action can be changed", async () => {
  const id = await newPurchase();
  const before = await purchaseRow(id);
  await patched(id, {
    salesStage: "called",
    nextActionOrder: 1,
    buyerId: "user_x",
    amountPaid: "0.00",
    paymentStatus: "refunded",
    isArchived: true,
    finalisedAt: 1,
    purchasedAt: 1,
  });
  const { salesStage: _, tile: __, calledAt: ___, updatedAt: ____, ...same } = before;
  expect(await purchaseRow(id)).toMatchObject(same);
});

test("notes that a team member has changed are not overwritten, and nothing else changes either", async () => {
  const id = await newPurchase({ notes: "First." });
  const { notesVersion } = await purchaseRow(id);
  const theirs = await patched(id, { salesNotes: "Theirs.", notesVersion }, asMember);
  expect(theirs.notesVersion).toBe(notesVersion + 1);
  const before = await purchaseRow(id);
  const response = await patch(id, {
    salesNotes: "Mine.",
    notesVersion,
    salesStage: "called",
    customerPaymentAmount: "5",
  });
  expect(await response.json()).toMatchObject({
    status: 409,
    code: "notes_conflict",
    notes: { text: "Theirs.", version: theirs.notesVersion, by: `Terry ${member.lastName}` },
  });
  expect(await purchaseRow(id)).toEqual(before);
  expect(await historyOf(id)).toHaveLength(1);
  expect(await patched(id, { salesNotes: "Both.", notesVersion: theirs.notesVersion })).toMatchObject({
    salesNotes: "Both.",
  });
});

test("of two team members saving notes at the same moment, one gets a conflict", async () => {
  const id = await newPurchase();
  const responses = await Promise.all([
    patch(id, { salesNotes: "Mine.", notesVersion: 0 }),
    patch(id, { salesNotes: "Theirs.", notesVersion: 0 }, asMember),
  ]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("a stage from an older release shows as accepted and can be left", async () => {
  const id = await newPurchase();
  await setPurchase(id, { salesStage: "safety_check" });
  const rows = (await (await asOwner("GET", "/api/lead-purchases")).json()) as Purchase[];
  expect(rows.find((row) => row.id === id)).toMatchObject({ salesStage: "accepted_lead" });
  expect(await patched(id, { salesStage: "called" })).toMatchObject({ salesStage: "called" });
  expect((await historyOf(id)).at(-1)).toMatchObject({ fromStage: "safety_check", toStage: "called" });
});

test("purchases are paged newest first, including those of the same millisecond", async () => {
  const busy = await insertUser(db);
  const as = await callerFor(busy.id);
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) {
    const startedAt = 1_790_000_000_000 - Math.floor(i / 3) * 1000;
    ids.push(await insertManualPurchase(db, busy, { stage: "accepted_lead", startedAt }));
  }
  for (const path of ["/api/lead-purchases", "/api/my-purchased-leads"]) {
    const seen: Purchase[] = [];
    let next: string | undefined = `${path}?limit=2`;
    while (next) {
      const response: Response = await as("GET", next);
      seen.push(...((await response.json()) as Purchase[]));
      next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("Link") ?? "")?.[1];
    }
    expect(seen.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const times = seen.map(({ purchasedAt }) => purchasedAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  }
});

test("undoing a move clears the mistaken stage's time, and keeps both history entries", async () => {
  const id = await newPurchase();
  await patched(id, { salesStage: "called" });
  expect(await patched(id, { salesStage: "accepted_lead", undoes: "called" })).toMatchObject({
    salesStage: "accepted_lead",
    calledAt: null,
  });
  expect((await historyOf(id)).map(({ toStage }) => toStage)).toEqual([
    "accepted_lead",
    "called",
    "accepted_lead",
  ]);
});

test("undoing a move keeps the time at which the stage was first reached", async () => {
  const id = await newPurchase();
  const { calledAt } = await patched(id, { salesStage: "called" });
  await setPurchase(id, { calledAt: calledAt! - 1000 });
  await patched(id, { salesStage: "quote_sent" });
  await patched(id, { salesStage: "called", undoes: "quote_sent" });
  expect(await patched(id, { salesStage: "quote_sent" })).toMatchObject({ calledAt: calledAt! - 1000 });
  await patched(id, { salesStage: "called" });
  expect(await patched(id, { salesStage: "accepted_lead", undoes: "called" })).toMatchObject({
    calledAt: calledAt! - 1000,
  });
});
