import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { ContactOutcome } from "../../../contract/contacts.ts";
import { contactLog, leadPurchases } from "../../tables.ts";
import { callerFor, db } from "../../../testing/client.ts";
import { auditEntries, stageChangesOf } from "../../../testing/facts.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../../../testing/world.ts";
import type { Purchase } from "../../selling/purchases/views.ts";

const owner = await insertUser(db);
const member = await insertTeamMember(db, owner, { firstName: "Tess", lastName: "Team" });
const asOwner = await callerFor(owner.id);
const asMember = await callerFor(member.id);

const newPurchase = () =>
  insertManualPurchase(db, owner, { stage: "accepted_lead", startedAt: 1_790_000_000_000 });

const entriesOf = (id: string) =>
  db.select().from(contactLog).where(eq(contactLog.purchaseId, id)).orderBy(asc(contactLog.at));

const stagesOf = async (id: string) => (await stageChangesOf(id)).map(({ toStage }) => toStage);

function log(id: string, outcome: ContactOutcome, more: object = {}, as = asOwner) {
  const body = { outcome, entryKey: crypto.randomUUID(), ...more };
  return as("POST", `/api/lead-purchases/${id}/contacts`, body);
}

async function logged(...call: Parameters<typeof log>): Promise<Purchase> {
  const response = await log(...call);
  expect(response.status).toBe(200);
  return (await response.json()) as Purchase;
}

test("three tries show as three, a text message does not count, and an answered call ends them", async () => {
  const id = await newPurchase();
  expect(await logged(id, "no_answer")).toMatchObject({ tries: 1, salesStage: "accepted_lead" });
  expect(await logged(id, "left_message")).toMatchObject({ tries: 2 });
  expect(await logged(id, "texted")).toMatchObject({ tries: 2 });
  expect(await logged(id, "no_answer")).toMatchObject({ tries: 3, calledAt: null });
  expect(await logged(id, "called")).toMatchObject({ tries: 0, salesStage: "called" });
  expect(await entriesOf(id)).toHaveLength(5);
});

test("an answered or booked call moves the lead forward, never back, with its time and history", async () => {
  const fresh = await newPurchase();
  const before = Date.now();
  const called = await logged(fresh, "called");
  expect(called.calledAt).toBeGreaterThanOrEqual(before);
  expect(await logged(fresh, "booked")).toMatchObject({
    salesStage: "job_booked",
    calledAt: called.calledAt,
    jobBookedAt: expect.any(Number),
  });
  expect(await stagesOf(fresh)).toEqual(["accepted_lead", "called", "job_booked"]);
  expect(await logged(fresh, "called")).toMatchObject({ salesStage: "job_booked" });
  expect(await stagesOf(fresh)).toHaveLength(3);
});

test("the same entry again, at once or later, is one call", async () => {
  const id = await newPurchase();
  const entryKey = crypto.randomUUID();
  const results = await Promise.all([1, 2, 3].map(() => logged(id, "no_answer", { entryKey })));
  expect(results.map(({ tries }) => tries)).toEqual([1, 1, 1]);
  await logged(id, "booked");
  expect(await logged(id, "no_answer", { entryKey })).toMatchObject({ tries: 0, salesStage: "job_booked" });
  expect(await entriesOf(id)).toHaveLength(2);
  // An entry key is unique per lead. The same key on a different lead is a different call.
  expect(await logged(await newPurchase(), "no_answer", { entryKey })).toMatchObject({ tries: 1 });
});

test("the lead's history shows who called, when, and the result", async () => {
  const id = await newPurchase();
  const at = Date.now() - 3_600_000;
  await logged(id, "no_answer", { at }, asMember);
  const detail = await (await asOwner("GET", `/api/lead-purchases/${id}`)).json();
  expect(detail).toMatchObject({
    contacts: [{ outcome: "no_answer", at, by: "Tess Team" }],
    lastContactAt: at,
    tries: 1,
  });
});

test("a phone's clock cannot date a call in the future or long ago", async () => {
  const id = await newPurchase();
  const { lastContactAt } = await logged(id, "no_answer", { at: Date.now() + 86_400_000 });
  expect(lastContactAt).toBeLessThanOrEqual(Date.now());
  await logged(id, "no_answer", { at: 1 });
  const [first] = await entriesOf(id);
  expect(first!.at).toBeGreaterThan(Date.now() - 8 * 86_400_000);
});

test("nothing is stored for another business's lead, or a closed or removed one", async () => {
  const id = await newPurchase();
  const stranger = await callerFor((await insertUser(db)).id);
  expect((await log(id, "no_answer", {}, stranger)).status).toBe(404);
  const closed = await newPurchase();
  await asOwner("POST", `/api/lead-purchases/${closed}/archive`);
  const refused = await log(closed, "booked");
  expect(await refused.json()).toMatchObject({ status: 409, code: "purchase_closed" });
  const removed = await newPurchase();
  await asOwner("DELETE", `/api/lead-purchases/${removed}`);
  expect((await log(removed, "no_answer")).status).toBe(404);
  for (const one of [id, closed, removed]) expect(await entriesOf(one)).toEqual([]);
});

test("other windows receive a call like any change, and the audit log records it", async () => {
  const id = await newPurchase();
  const since = Date.now();
  await logged(id, "left_message");
  const changes = (await (await asOwner("GET", `/api/pipeline/changes?since=${since}`)).json()) as {
    items: Purchase[];
  };
  expect(changes.items.find((one) => one.id === id)).toMatchObject({ tries: 1 });
  const lines = await auditEntries(id);
  expect(lines).toMatchObject([{ action: "purchase.contact", after: { outcome: "left_message" } }]);
});

test("the CSV file has the tries and the last contact", async () => {
  const business = await insertUser(db);
  const as = await callerFor(business.id);
  const id = await insertManualPurchase(db, business, { stage: "accepted_lead", startedAt: 1 });
  await logged(id, "no_answer", {}, as);
  await db.update(leadPurchases).set({ lastContactAt: Date.UTC(2026, 10, 22, 23, 5) });
  const [head, line] = (await (await as("GET", "/api/pipeline/export.csv")).text()).split("\r\n");
  const column = head!.split('","').indexOf("Unanswered calls");
  expect(line!.split('","').slice(column, column + 2)).toEqual(["1", "2026-11-23 10:05"]);
});
