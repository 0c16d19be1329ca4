/** Tests that a business can correct its customer's contact details, and assign leads to its team. */
import { expect, test } from "vitest";

import { callerFor, db } from "../../../testing/client.ts";
import { auditEntries, leadRow, purchaseRow } from "../../../testing/facts.ts";
import { erase } from "../../../testing/drivers.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../../../testing/world.ts";
import { dumpD1 } from "../../../testing/operator.ts";
import type { PurchasedLeadView } from "../../selling/purchases/views.ts";

const owner = await insertUser(db, { firstName: "Olive", lastName: "Owner" });
const member = await insertTeamMember(db, owner, { firstName: "Sam", lastName: "Lee" });
const asOwner = await callerFor(owner.id);
const asMember = await callerFor(member.id);

type As = typeof asOwner;
type Detail = PurchasedLeadView & {
  corrections: { detail: string; was: string; changedBy: string | null; changedAt: number }[];
};

const newPurchase = (request: NonNullable<Parameters<typeof insertManualPurchase>[2]["request"]> = {}) =>
  insertManualPurchase(db, owner, { stage: "called", startedAt: 1_790_000_000_000, request });
const correct = (id: string, correction: unknown, as: As = asOwner) =>
  as("PATCH", `/api/lead-purchases/${id}/customer`, correction);
const detailOf = async (id: string, as: As = asOwner) =>
  (await (await as("GET", `/api/lead-purchases/${id}`)).json()) as Detail;
const leadOf = async (id: string) => leadRow((await purchaseRow(id)).leadId);
const assign = (id: string, assignedTo: string | null, as: As = asOwner) =>
  as("PATCH", `/api/lead-purchases/${id}/sales-stage`, { assignedTo });

const mine = async (as: As) => {
  const response = await as("GET", "/api/pipeline?mine=yes");
  return ((await response.json()) as { items: PurchasedLeadView[] }).items.map(({ id }) => id);
};

const WRONG = {
  customerName: "Jon Smit",
  customerPhone: "0491 570 006",
  customerEmail: "jon@example.com",
  customerAddress: "1 Old Street, Leichhardt NSW 2040",
};
const RIGHT = {
  customerName: "John Smith",
  customerPhone: "0491 570 156",
  customerEmail: "john@example.com",
  customerAddress: "11 New Street, Leichhardt NSW 2040",
};

test("a correction appears everywhere the customer does, and the request does not change", async () => {
  const id = await newPurchase(WRONG);
  const request = await leadOf(id);
  expect(await (await correct(id, RIGHT, asMember)).json()).toMatchObject({ id, ...RIGHT });
  expect(await leadOf(id)).toEqual(request);
  expect(await detailOf(id)).toMatchObject(RIGHT);
  for (const path of ["/api/my-purchased-leads", "/api/pipeline", "/api/pipeline/changes?since=0"]) {
    const body = (await (await asOwner("GET", path)).json()) as
      | PurchasedLeadView[]
      | { items: PurchasedLeadView[] };
    const found = (Array.isArray(body) ? body : body.items).find((purchase) => purchase.id === id);
    expect(found, path).toMatchObject(RIGHT);
  }
  const file = await (await asOwner("GET", "/api/pipeline/export.csv")).text();
  expect(file).toContain(
    '"John Smith","0491 570 156","john@example.com","","11 New Street, Leichhardt NSW 2040"',
  );
  expect(file).not.toContain("Jon Smit");
  for (const [q, count] of [
    ["john smith", 1],
    ["0491570156", 1],
    ["new street", 1],
    ["0491570006", 0],
    ["jon smit old", 0],
  ] as const) {
    const page = (await (await asOwner("GET", `/api/pipeline?q=${encodeURIComponent(q)}`)).json()) as {
      items: unknown[];
    };
    expect(page.items, q).toHaveLength(count);
  }
});

test("the history shows a detail's old value, who changed it and when; the audit log has no details", async () => {
  const id = await newPurchase(WRONG);
  const since = Date.now();
  await correct(id, { customerPhone: "0491 570 157" }, asMember);
  await correct(id, { customerPhone: RIGHT.customerPhone, customerName: RIGHT.customerName });
  // Repeat the correction, as a window does after a lost response.
  await correct(id, { customerPhone: RIGHT.customerPhone });
  const { corrections, updatedAt } = await detailOf(id);
  expect(corrections.map(({ detail, was, changedBy }) => [detail, was, changedBy])).toEqual([
    ["Name", "Jon Smit", "Olive Owner"],
    ["Phone", "0491 570 157", "Olive Owner"],
    ["Phone", "0491 570 006", "Sam Lee"],
  ]);
  for (const { changedAt } of corrections) expect(changedAt).toBeGreaterThanOrEqual(since);
  await correct(id, { customerPhone: RIGHT.customerPhone });
  expect((await detailOf(id)).updatedAt).toBe(updatedAt);
  const lines = await auditEntries(id);
  const logged = lines.filter(({ action }) => action === "purchase.correct");
  expect(logged).toHaveLength(2);
  expect(JSON.stringify(logged)).not.toMatch(/0491|Jon|John/);
});

test("an email can be removed and restored", async () => {
  const id = await newPurchase(WRONG);
  await correct(id, { customerEmail: "" });
  expect(await detailOf(id)).toMatchObject({ customerEmail: null, customerPhone: WRONG.customerPhone });
  await correct(id, { customerEmail: WRONG.customerEmail });
  const { customerEmail, corrections } = await detailOf(id);
  expect(customerEmail).toBe(WRONG.customerEmail);
  expect(corrections.map(({ was }) => was)).toEqual(["", WRONG.customerEmail]);
});

test("a closed lead, another business's lead and an erased customer's lead cannot be corrected", async () => {
  const closed = await newPurchase(WRONG);
  expect((await asOwner("POST", `/api/lead-purchases/${closed}/archive`)).status).toBe(200);
  expect((await correct(closed, RIGHT)).status).toBe(409);
  const other = await callerFor((await insertUser(db)).id);
  const id = await newPurchase({ ...WRONG, customerPhone: "0491 570 110", customerEmail: "" });
  expect((await correct(id, RIGHT, other)).status).toBe(404);
  await erase({ phone: "0491 570 110", email: null });
  const refused = await correct(id, RIGHT);
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    409,
    "purchase_closed",
  ]);
  expect(await purchaseRow(id)).toMatchObject({ corrected: null });
});

test("erasing a customer by any detail, even a corrected one, removes them all", async () => {
  const find = [
    { phone: "0491 570 313", email: null },
    { phone: "+61 491 570 737", email: null },
    { phone: null, email: "Quokka@example.com" },
  ];
  for (const person of find) {
    const id = await newPurchase({ ...WRONG, customerName: "Wrongly Spelt", customerPhone: "0491 571 491" });
    await correct(id, { customerName: "Quentin Quokka", customerPhone: "0491 570 313" });
    await correct(id, { customerPhone: "0491570737", customerEmail: "quokka@example.com" });
    await erase(person);
    const left = await dumpD1();
    expect(left).not.toMatch(/\bQuokka\b|570 ?313|570 ?737|Wrongly|571 ?491/i);
    expect(await detailOf(id)).toMatchObject({ customerPhone: "", corrections: [] });
  }
});

test("a lead is assigned to the owner or a team member, and listed as their own", async () => {
  const [first, second] = [await newPurchase(), await newPurchase()];
  expect(await (await assign(first, member.id)).json()).toMatchObject({ assignedTo: member.id });
  expect(await mine(asMember)).toEqual([first]);
  expect(await mine(asOwner)).toEqual([]);
  await assign(second, owner.id, asMember);
  expect(await mine(asOwner)).toEqual([second]);
  await assign(first, null, asMember);
  expect(await mine(asMember)).toEqual([]);
  expect((await asOwner("GET", "/api/pipeline?mine=no")).status).toBe(400);
});

test("only users of the business can be assigned a lead, and lose it when they leave", async () => {
  const id = await newPurchase();
  const stranger = await insertUser(db);
  const refused = await assign(id, stranger.id);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ errors: { assignedTo: "That person isn't on your team" } });
  const leaver = await insertTeamMember(db, owner);
  expect((await assign(id, leaver.id)).status).toBe(200);
  const before = await purchaseRow(id);
  expect((await asOwner("DELETE", `/api/team-members/${leaver.id}`)).status).toBe(200);
  const after = await purchaseRow(id);
  expect(after.assignedToUserId).toBeNull();
  expect(after.updatedAt).toBeGreaterThan(before.updatedAt);
  expect((await assign(id, leaver.id)).status).toBe(400);
  // The change was made offline, before a team member assigned the lead to someone else.
  await assign(id, member.id);
  const late = await asOwner("PATCH", `/api/lead-purchases/${id}/sales-stage`, {
    assignedTo: owner.id,
    was: { assignedTo: null },
  });
  expect(late.status).toBe(409);
});
