/** Tests changes that arrive late or twice, from a phone that was offline or missed the response. */
import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { stageChanges } from "../../tables.ts";
import { callerFor, db } from "../../../testing/client.ts";
import { purchaseRow } from "../../../testing/facts.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../../../testing/world.ts";
import type { Purchase } from "../../selling/purchases/views.ts";

const owner = await insertUser(db);
const asOwner = await callerFor(owner.id);
const asMember = await callerFor((await insertTeamMember(db, owner)).id);

const newPurchase = () =>
  insertManualPurchase(db, owner, { stage: "accepted_lead", startedAt: 1_790_000_000_000 });

const historyOf = (id: string) =>
  db.select().from(stageChanges).where(eq(stageChanges.purchaseId, id)).orderBy(asc(stageChanges.id));

const patch = (id: string, body: unknown, as = asOwner) =>
  as("PATCH", `/api/lead-purchases/${id}/sales-stage`, body);

async function patched(id: string, body: unknown, as = asOwner): Promise<Purchase> {
  const response = await patch(id, body, as);
  expect(response.status).toBe(200);
  return (await response.json()) as Purchase;
}

const withKey = (update: object, changeKey = crypto.randomUUID()) => ({ ...update, changeKey });

test("a change is only made in its author's own session", async () => {
  const id = await newPurchase();
  const called = withKey({ salesStage: "called", madeBy: owner.id });
  const contact = { outcome: "no_answer", entryKey: crypto.randomUUID(), madeBy: owner.id };
  const contacts = `/api/lead-purchases/${id}/contacts`;
  const notes = { salesNotes: "Two dogs", notesVersion: 0, madeBy: owner.id };
  const before = await purchaseRow(id);
  const responses = await Promise.all([
    patch(id, called, asMember),
    patch(id, notes, asMember),
    asMember("POST", contacts, contact),
  ]);
  for (const answer of responses) {
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
  }
  expect(await purchaseRow(id)).toEqual(before);
  await patched(id, called);
  await patched(id, notes);
  expect((await asOwner("POST", contacts, contact)).status).toBe(200);
  expect(await purchaseRow(id)).toMatchObject({ salesStage: "called", salesNotes: "Two dogs", tries: 1 });
});

test("a change sent again, at once or after others, is made once", async () => {
  const id = await newPurchase();
  const called = withKey({ salesStage: "called" });
  await Promise.all([1, 2, 3].map(() => patched(id, called)));
  await patched(id, withKey({ customerPaymentAmount: "240" }));
  await patched(id, withKey({ salesStage: "accepted_lead" }), asMember);
  // The response to a repeated change has the lead's current state.
  expect(await patched(id, { ...called, was: { salesStage: "accepted_lead" } })).toMatchObject({
    salesStage: "accepted_lead",
    customerPaymentAmount: "240.00",
  });
  const stages = (await historyOf(id)).map(({ toStage }) => toStage);
  expect(stages).toEqual(["accepted_lead", "called", "accepted_lead"]);
  // A change key is unique per lead. The same key on a different lead is a different change.
  const other = await newPurchase();
  expect(await patched(other, called)).toMatchObject({ salesStage: "called" });
});

const DAY = 1_800_000_000_000;
const NOTHING_PLANNED = { nextActionAt: null, nextActionNote: null };

test.each([
  ["stage", { salesStage: "quote_sent" }, { salesStage: "accepted_lead" }, { salesStage: "job_booked" }],
  [
    "amount",
    { customerPaymentAmount: "90" },
    { customerPaymentAmount: null },
    { customerPaymentAmount: "80" },
  ],
  ["next action", { nextActionAt: DAY, nextActionNote: "Ring" }, NOTHING_PLANNED, { nextActionAt: DAY + 1 }],
] as const)(
  "a late %s is accepted if nothing has changed it since, and rejected if something has",
  async (what, update, was, theirs) => {
    const [calm, same, busy] = [await newPurchase(), await newPurchase(), await newPurchase()];
    const shown = what === "amount" ? { customerPaymentAmount: "90.00" } : update;
    expect(await patched(calm, withKey({ ...update, was }))).toMatchObject(shown);
    await patched(same, update, asMember);
    expect(await patched(same, withKey({ ...update, was }))).toMatchObject(shown);

    await patched(busy, theirs, asMember);
    const before = await purchaseRow(busy);
    const refused = await patch(busy, withKey({ ...update, was }));
    expect(await refused.json()).toMatchObject({
      status: 409,
      code: what === "stage" ? "stage_changed" : "changed_since",
    });
    expect(await purchaseRow(busy)).toEqual(before);
  },
);
