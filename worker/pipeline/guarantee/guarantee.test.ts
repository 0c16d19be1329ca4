/** The guarantee: each rule, the cap, contests and the public rate, through the front door. */
import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";

import { CONSENT_WORDING } from "../../../contract/consent.ts";
import type { BadLeadOverview } from "../../../contract/bad-leads.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { AdminGuaranteeCase, FreeClaimRate, GuaranteeAnswer } from "../../../contract/guarantee.ts";
import { RESCUE_PRICE_CENTS } from "../../../contract/money.ts";
import type { RequestPageAnswer } from "../../../contract/request-links.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { bodyFor } from "../../../testing/routes/api.ts";
import { call, callerFor, db, testEnv } from "../../../testing/client.ts";
import {
  auditEntries,
  customerUpdatesOf,
  problemsOf,
  publicReviews,
  purchaseRow,
  setLead,
  setPurchase,
} from "../../../testing/facts.ts";
import { deliverMessages, listed, putOnMarket, requestLink, runSweep } from "../../../testing/drivers.ts";
import { insertClockedSale } from "../../../testing/clocked-sales.ts";
import { rescue } from "../../../testing/rescue.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { PublicPages } from "../../../testing/main.ts";
import {
  insertAbnCheck,
  insertManualPurchase,
  insertPendingLead,
  insertProfile,
  insertReview,
} from "../../../testing/world.ts";
import {
  attention,
  freeClaims,
  guaranteeCases,
  leadPurchases,
  messages,
  publicFigures,
  reviews,
} from "../../tables.ts";
import { recheckRefundedCase } from "../../selling/payments/ledger-commands.ts";

const SOLD = Date.parse("2026-11-25T10:00:00+11:00");
/** The number can be corrected for a day, which is longer than the clock of an urgent request. */
const END = SOLD + DAY_MS;

beforeEach(async () => {
  vi.useFakeTimers({ now: SOLD, toFake: ["Date"] });
  for (const table of [messages, attention]) await db.delete(table);
});

let people = 0;
type Buyer = Awaited<ReturnType<typeof insertProvider>>;

/** Sells a request to a provider. Its customer has a link to their page. */
async function sold(by?: Buyer, urgency: "urgent" | "flexible" = "urgent") {
  people += 1;
  const lead = await insertPendingLead(
    db,
    {
      consentWording: CONSENT_WORDING,
      urgency,
      customerEmail: `grace${people}@example.com`,
      customerPhone: `02 5552 ${1000 + people}`,
    },
    Date.now(),
  );
  await putOnMarket(lead);
  const buyer = by ?? (await insertProvider());
  const body = bodyFor("POST /api/leads/:id/purchase");
  const bought = await buyer.as("POST", `/api/leads/${lead.id}/purchase`, body);
  expect(bought.status).toBe(201);
  const { id: purchaseId } = await bought.json<{ id: string }>();
  const token = await requestLink(lead.id);
  return { ...buyer, lead, purchaseId, token };
}
type Sold = Awaited<ReturnType<typeof sold>>;

async function at(now: number) {
  vi.setSystemTime(now);
  return runSweep("guarantee_sweep", now);
}
const sweepSoon = () => at(Date.now() + MINUTE_MS);
/** Sweeps on a site that knows its host, so that cached pages expire. */
async function sweepOnline() {
  vi.setSystemTime(Date.now() + MINUTE_MS);
  await runSweep("guarantee_sweep", Date.now(), { ...testEnv, SITE_HOST: "naturestrip.example" });
}

const desk = async ({ as }: Pick<Sold, "as">) =>
  (await (await as("GET", "/api/bad-leads")).json()) as BadLeadOverview;
const caseOf = async (one: Pick<Sold, "as" | "purchaseId">) =>
  (await desk(one)).cases.find(({ purchaseId }) => purchaseId === one.purchaseId);
const stateOf = async (one: Pick<Sold, "as" | "purchaseId">) => (await caseOf(one))?.state;
const freeClaimsOf = async (one: Pick<Sold, "as">) => (await desk(one)).claimPrices;
const actionsOf = async ({ purchaseId }: Pick<Sold, "purchaseId">) =>
  (await auditEntries(purchaseId))
    .map(({ action }) => action)
    .filter((action) => action.startsWith("guarantee."));

async function say({ token }: Pick<Sold, "token">, answer: GuaranteeAnswer) {
  const response = await call("POST", "/api/requests/guarantee", { body: { token, answer } });
  expect(response.status).toBe(200);
}
const respond = ({ token }: Pick<Sold, "token">, answer: string) =>
  call("POST", "/api/requests/call-answer", { body: { token, answer } });
function correctNumber({ token, lead }: Sold, customerPhone: string) {
  const body = { token, lastDigits: lead.customerPhone.slice(-4), customerPhone };
  return call("POST", "/api/requests/phone", { body });
}
const withdraw = ({ token }: Pick<Sold, "token">) =>
  call("POST", "/api/requests/withdraw", { body: { token } });
const pageOf = async ({ token }: Pick<Sold, "token">) =>
  (await (await call("GET", `/api/requests?token=${token}`)).json<RequestPageAnswer>()).request;

async function logCall({ as, purchaseId }: Sold, now: number, outcome = "no_answer", madeAt = now) {
  vi.setSystemTime(now);
  const body = { outcome, entryKey: crypto.randomUUID(), at: madeAt };
  expect((await as("POST", `/api/lead-purchases/${purchaseId}/contacts`, body)).status).toBe(200);
}
/** Three calls without an answer: today, tomorrow and 48 hours later. */
async function tryInVain(one: Sold, start = SOLD) {
  for (const hours of [1, 25, 49]) await logCall(one, start + hours * HOUR_MS);
  return start + 49 * HOUR_MS;
}
async function deliverMail(now: number) {
  const box = mailbox();
  await deliverMessages(now, { ...testEnv, ...box.changed, SITE_HOST: "naturestrip.example" });
  return box.sent;
}
async function moveTo({ as, purchaseId }: Sold, salesStage: string) {
  const path = `/api/lead-purchases/${purchaseId}/sales-stage`;
  expect((await as("PATCH", path, { salesStage })).status).toBe(200);
}
const contest = ({ as, purchaseId }: Sold, note = "I have the call records") =>
  as("POST", `/api/lead-purchases/${purchaseId}/contest`, { note });
/** Asks for the reviews that are due. @returns the number of this purchase's */
async function countInvitations({ purchaseId }: Pick<Sold, "purchaseId">): Promise<number> {
  await runSweep("review_sweep");
  return db.$count(reviews, eq(reviews.purchaseId, purchaseId));
}
const code = async (response: Response) => (await response.json<{ code: string }>()).code;

test("wrong number: granted after a day, if no one corrects it", async () => {
  const one = await sold();
  await say(one, "wrong_number");
  await sweepSoon();
  expect(await caseOf(one)).toMatchObject({ rule: "wrong_number", state: "waiting", dueAt: END });
  expect(await caseOf(one)).toMatchObject({ isNumberWrong: true });
  expect(await pageOf(one)).toMatchObject({ isNumberWrong: true });
  const kinds = await customerUpdatesOf(one.lead.id);
  expect(kinds.map(({ kind }) => kind)).toEqual(["wrong_number"]);
  await at(END - 1);
  expect(await stateOf(one)).toBe("waiting");
  await at(END);
  expect(await caseOf(one)).toMatchObject({ state: "granted", canContest: false });
  expect(await freeClaimsOf(one)).toEqual(["50.00"]);
  expect(await actionsOf(one)).toEqual(["guarantee.grant"]);
});

test("wrong number: not decided before the buyer's time to call is over", async () => {
  const one = await sold(undefined, "flexible");
  await say(one, "wrong_number");
  await at(END);
  expect(await stateOf(one)).toBe("waiting");
  // 24 hours that count from 7 am to 8 pm.
  await at(Date.parse("2026-11-27T08:00:00+11:00"));
  expect(await stateOf(one)).toBe("granted");
});

test("wrong number: refused if the customer corrects it in time", async () => {
  const one = await sold();
  await say(one, "wrong_number");
  expect(await (await correctNumber(one, "0491 570 159")).json()).toEqual({ outcome: "changed" });
  expect(await caseOf(one)).toMatchObject({ state: "waiting", isNumberWrong: false });
  await at(END);
  expect(await caseOf(one)).toMatchObject({ state: "refused", canContest: true });
  expect(await freeClaimsOf(one)).toEqual([]);
});

test("wrong number: an admin's word counts too, and is in the audit log", async () => {
  const one = await sold();
  const admin = await insertAdmin();
  const path = `/api/super-admin/leads/${one.lead.id}/wrong-number`;
  expect((await admin.asAdmin("POST", path)).status).toBe(200);
  await at(END);
  expect(await stateOf(one)).toBe("granted");
  const lines = await auditEntries(one.lead.id);
  expect(lines.filter(({ action }) => action === "lead.wrong_number")).toHaveLength(1);
});

test("wrong number: a correction after the decision takes an unused free claim back", async () => {
  const one = await sold();
  await say(one, "wrong_number");
  await at(END);
  expect(await stateOf(one)).toBe("granted");
  expect(await (await correctNumber(one, "0491 570 157")).json()).toEqual({ outcome: "changed" });
  await sweepSoon();
  expect(await stateOf(one)).toBe("revoked");
  expect(await freeClaimsOf(one)).toEqual([]);
});

test.each(["refunded", "disputed"] as const)(
  "a %s payment takes an unused free claim back",
  async (paymentStatus) => {
    const one = await sold();
    await withdraw(one);
    await sweepSoon();
    const paymentIntentId = `pi_${one.purchaseId}`;
    await setPurchase(one.purchaseId, { paymentStatus, paymentIntentId });
    await recheckRefundedCase(db, paymentIntentId, Date.now());
    await sweepSoon();
    expect(await stateOf(one)).toBe("revoked");
    expect(await freeClaimsOf(one)).toEqual([]);
  },
);

test("no other business and no refused change makes us look again", async () => {
  const one = await sold();
  await withdraw(one);
  await sweepSoon();
  const dueAt = async () =>
    (await db.select().from(guaranteeCases).where(eq(guaranteeCases.purchaseId, one.purchaseId)))[0]!.dueAt;
  const path = `/api/lead-purchases/${one.purchaseId}`;
  const { as } = await insertProvider();
  expect((await as("PATCH", `${path}/sales-stage`, { salesStage: "called" })).status).toBe(404);
  const tried = { outcome: "called", entryKey: crypto.randomUUID() };
  expect((await as("POST", `${path}/contacts`, tried)).status).toBe(404);
  expect(await dueAt()).toBeNull();
  await moveTo(one, "called");
  expect(await dueAt()).toBe(Date.now());
});

test("a refused bad-lead report leaves an open case as it is, and a granted one resolves its alert", async () => {
  const one = await sold();
  const admin = await insertAdmin();
  const report = { reason: "disconnected" };
  expect((await one.as("POST", `/api/lead-purchases/${one.purchaseId}/bad-lead`, report)).status).toBe(201);
  await say(one, "wrong_number");
  const { id } = (await desk(one)).reports[0]!;
  const path = `/api/super-admin/bad-leads/${id}/answer`;
  const refused = { decision: "refused", answer: "It works." };
  expect((await admin.asAdmin("POST", path, refused)).status).toBe(200);
  expect(await caseOf(one)).toMatchObject({ rule: "wrong_number", state: "waiting" });
  await at(END);
  expect(await stateOf(one)).toBe("granted");
});

test("withdrawn: granted at once before a call, and not at all after a text or the clock's end", async () => {
  const early = await sold();
  await withdraw(early);
  await sweepSoon();
  expect(await caseOf(early)).toMatchObject({ rule: "withdrawn", state: "granted" });

  const texted = await sold();
  await logCall(texted, Date.now() + MINUTE_MS, "texted");
  await withdraw(texted);
  const late = await sold();
  vi.setSystemTime(Date.now() + DAY_MS);
  await withdraw(late);
  await sweepSoon();
  expect([await caseOf(texted), await caseOf(late)]).toEqual([undefined, undefined]);
});

test("never asked: granted by the customer's word, and revoked when they take it back", async () => {
  const one = await sold();
  await respond(one, "never_asked");
  await sweepSoon();
  expect(await caseOf(one)).toMatchObject({ rule: "never_asked", state: "granted" });
  await respond(one, "not_yet");
  await sweepSoon();
  expect(await caseOf(one)).toMatchObject({ state: "revoked", canContest: true });
  expect(await freeClaimsOf(one)).toEqual([]);
  expect(await actionsOf(one)).toEqual(["guarantee.grant", "guarantee.revoke"]);
  const next = await listed({}, Date.now());
  expect(await code(await one.as("POST", `/api/leads/${next.id}/claim-with-credit`))).toBe("no_credit");
});

test("a free claim in use is taken back once its claim has failed, and the customer is asked for a review", async () => {
  const one = await sold();
  await say(one, "wrong_number");
  await at(END);
  const { lead: taken } = await sold();
  await db
    .update(freeClaims)
    .set({ usedForLeadId: taken.id, usedAt: Date.now() })
    .where(eq(freeClaims.purchaseId, one.purchaseId));
  vi.setSystemTime(SOLD + 15 * DAY_MS);
  expect(await countInvitations(one)).toBe(0);
  await moveTo(one, "quote_sent");
  await sweepSoon();
  expect(await stateOf(one), "the claim may yet succeed").toBe("granted");
  expect(await runSweep("claim_sweep", Date.now() + HOUR_MS)).toEqual({ seen: 1, failed: 0 });
  await at(Date.now() + 2 * MINUTE_MS);
  expect(await stateOf(one)).toBe("revoked");
  expect(await freeClaimsOf(one)).toEqual([]);
  const [freeClaim] = await db.select().from(freeClaims).where(eq(freeClaims.purchaseId, one.purchaseId));
  expect(freeClaim!.usedAt).toBeNull();
  expect(await countInvitations(one)).toBe(1);
});

test("no answer: the customer is asked after three calls over 48 hours, and silence grants after 48 more", async () => {
  const one = await sold();
  await logCall(one, SOLD + HOUR_MS);
  await logCall(one, SOLD + 2 * HOUR_MS);
  await logCall(one, SOLD + 49 * HOUR_MS - 1);
  expect(await caseOf(one), "48 hours less a millisecond").toBeUndefined();
  await logCall(one, SOLD + 49 * HOUR_MS);
  const asked = SOLD + 49 * HOUR_MS;
  expect(await caseOf(one)).toMatchObject({ rule: "no_answer", state: "asked", dueAt: asked + 48 * HOUR_MS });
  expect(await pageOf(one)).toMatchObject({ isAskedAboutCalls: true });

  const sent = await deliverMail(asked);
  const mails = sent.filter(({ subject }) => subject.endsWith("couldn't reach you"));
  expect(mails.map(({ to }) => to)).toEqual([one.lead.customerEmail]);
  expect(mails[0]!.text).toMatch(/\/request\/[\w-]+/);

  await at(asked + 48 * HOUR_MS - 1);
  expect(await stateOf(one)).toBe("asked");
  await at(asked + 48 * HOUR_MS);
  expect(await stateOf(one)).toBe("granted");
  await logCall(one, asked + 49 * HOUR_MS);
  expect(await stateOf(one), "one more call changes nothing").toBe("granted");
});

test("no answer: two calls are too few, however far apart", async () => {
  const one = await sold();
  await logCall(one, SOLD + HOUR_MS);
  await logCall(one, SOLD + 73 * HOUR_MS);
  expect(await caseOf(one)).toBeUndefined();
});

test("no answer: a text or a new stage does not shorten the customer's 48 hours", async () => {
  const one = await sold();
  const asked = await tryInVain(one);
  await deliverMail(asked);
  await logCall(one, asked + MINUTE_MS, "texted");
  await moveTo(one, "declined");
  await sweepSoon();
  expect(await stateOf(one)).toBe("asked");
  expect(await pageOf(one)).toMatchObject({ isAskedAboutCalls: true });
  await at(asked + 48 * HOUR_MS);
  expect(await stateOf(one)).toBe("granted");
});

test("no answer: if we could not ask the customer, a person decides", async () => {
  const one = await sold();
  await setLead(one.lead.id, { customerEmail: null });
  const asked = await tryInVain(one);
  await deliverMail(asked);
  await at(asked + 48 * HOUR_MS);
  expect(await stateOf(one)).toBe("capped");
  const [item] = await problemsOf(one.lead.id);
  expect(item!.detail).toMatch(/couldn't ask the customer/);
});

test("no answer: a customer who called off the job after the clock is not asked", async () => {
  const one = await sold();
  vi.setSystemTime(SOLD + DAY_MS);
  await withdraw(one);
  await tryInVain(one, SOLD + DAY_MS);
  expect(await caseOf(one)).toBeUndefined();
});

test("no answer: backdated calls do not count, and neither do calls from before the sale", async () => {
  const one = await sold();
  const typed = SOLD + 4 * DAY_MS;
  for (const days of [3, 1.5, 0]) await logCall(one, typed, "no_answer", typed - days * DAY_MS);
  expect(await caseOf(one), "typed in one sitting").toBeUndefined();
  const other = await sold();
  const bought = Date.now();
  for (const hours of [0, 24, 48])
    await logCall(other, bought + hours * HOUR_MS, "no_answer", bought - HOUR_MS);
  expect(await caseOf(other), "before the sale").toBeUndefined();
  await logCall(one, typed + 48 * HOUR_MS);
  expect(await stateOf(one)).toBe("asked");
});

test("no answer: the customer agrees and it is granted at once, or contradicts and it is refused for good", async () => {
  const one = await sold();
  await tryInVain(one);
  await say(one, "missed");
  await sweepSoon();
  expect(await stateOf(one)).toBe("granted");

  const start = Date.now();
  const other = await sold();
  await tryInVain(other, start);
  await say(other, "not_missed");
  expect(await caseOf(other)).toMatchObject({ state: "refused", canContest: true });
  expect(await actionsOf(other)).toEqual(["guarantee.refuse"]);
  await logCall(other, Date.now() + 3 * DAY_MS);
  await sweepSoon();
  expect(await stateOf(other), "the customer is asked once").toBe("refused");
});

test("no answer: a quote or a booking takes the free claim back", async () => {
  const one = await sold();
  const asked = await tryInVain(one);
  await deliverMail(asked);
  await at(asked + 48 * HOUR_MS);
  expect(await freeClaimsOf(one)).toEqual(["50.00"]);
  await logCall(one, Date.now() + MINUTE_MS, "called");
  await sweepSoon();
  expect(await stateOf(one), "a conversation alone does not").toBe("granted");
  await moveTo(one, "quote_sent");
  await sweepSoon();
  expect(await stateOf(one)).toBe("revoked");
  expect(await freeClaimsOf(one)).toEqual([]);

  const start = Date.now();
  const other = await sold();
  await tryInVain(other, start);
  await logCall(other, Date.now() + MINUTE_MS, "booked");
  await at(Date.now() + 48 * HOUR_MS);
  expect(await stateOf(other)).toBe("refused");
});

test("a request that was passed on for want of a call gives no free claim", async () => {
  const one = await sold();
  const clock = { state: "rescued", rescuedAt: SOLD } as const;
  await setPurchase(one.purchaseId, { callClock: clock });
  await tryInVain(one);
  await say(one, "wrong_number");
  await sweepSoon();
  expect(await caseOf(one)).toBeUndefined();
});

test("the guarantee covers bought leads only", async () => {
  const buyer = await insertProvider();
  const own = await insertManualPurchase(db, buyer.user, { stage: "accepted_lead", startedAt: SOLD });
  const given = await insertClockedSale(db, buyer.user, {
    purchasedAt: SOLD,
    mode: "assigned",
    amountPaidCents: 0,
  });
  const refunded = await insertClockedSale(db, buyer.user, { purchasedAt: SOLD, paymentStatus: "refunded" });
  for (const id of [own, given, refunded]) {
    const row = await purchaseRow(id);
    const token = await requestLink(row.leadId, SOLD);
    await say({ token }, "wrong_number");
  }
  expect((await desk(buyer)).cases).toEqual([]);
});

test("two businesses with one checked ABN share the cap", async () => {
  const [old, phoenix] = [await insertProvider(), await insertProvider()];
  for (const { user } of [old, phoenix]) await insertAbnCheck(db, user.id, "51824753556");
  const [first, second] = [await sold(old), await sold(phoenix)];
  await withdraw(first);
  await sweepSoon();
  await withdraw(second);
  await sweepSoon();
  expect([await stateOf(first), await stateOf(second)]).toEqual(["granted", "capped"]);
});

test("beyond a fifth of the leads of 90 days, at least one, a person decides", async () => {
  const buyer = await insertProvider();
  const first = await sold(buyer);
  const second = await sold(buyer);
  await withdraw(first);
  await withdraw(second);
  await sweepSoon();
  const states = [await stateOf(first), await stateOf(second)];
  expect(states.toSorted()).toEqual(["capped", "granted"]);
  const capped = states[0] === "capped" ? first : second;
  expect(await actionsOf(capped)).toEqual(["guarantee.cap"]);
  const items = await problemsOf(capped.lead.id);
  expect(items).toMatchObject([{ kind: "guarantee_review", resolvedAt: null }]);

  const admin = await insertAdmin();
  const list = await (await admin.asAdmin("GET", "/api/super-admin/guarantee")).json<AdminGuaranteeCase[]>();
  expect(list.filter(({ purchaseId }) => purchaseId === capped.purchaseId)).toMatchObject([
    { rule: "withdrawn", state: "capped", customerName: capped.lead.customerName },
  ]);
  const path = `/api/super-admin/guarantee/${capped.purchaseId}/answer`;
  expect((await admin.asAdmin("POST", path, { decision: "granted", answer: "Bad luck" })).status).toBe(200);
  expect(await caseOf(capped)).toMatchObject({ state: "granted", answer: "Bad luck" });
  expect(await freeClaimsOf(buyer)).toEqual(["50.00", "50.00"]);
  expect(await code(await admin.asAdmin("POST", path, { decision: "refused" }))).toBe("bad_lead_answered");
  const [item] = await problemsOf(capped.lead.id);
  expect(item!.resolvedAt).not.toBeNull();
  expect(await actionsOf(capped)).toEqual(["guarantee.cap", "guarantee.grant"]);
});

test("ten leads in 90 days allow two free claims; older leads and claims do not count", async () => {
  const buyer = await insertProvider();
  for (let n = 0; n < 20; n++) await insertClockedSale(db, buyer.user, { purchasedAt: SOLD - 91 * DAY_MS });
  for (let n = 0; n < 7; n++) await insertClockedSale(db, buyer.user, { purchasedAt: SOLD - DAY_MS });
  const three = [await sold(buyer), await sold(buyer), await sold(buyer)];
  for (const one of three) await withdraw(one);
  await sweepSoon();
  const states = await Promise.all(three.map(stateOf));
  expect(states.toSorted()).toEqual(["capped", "granted", "granted"]);
  for (let n = 0; n < 3; n++) await insertClockedSale(db, buyer.user, { purchasedAt: SOLD - DAY_MS });
  const fourteenth = await sold(buyer);
  await withdraw(fourteenth);
  await sweepSoon();
  expect(await stateOf(fourteenth), "14 leads still allow two").toBe("capped");
  // A quarter later the earlier claims do not count.
  vi.setSystemTime(SOLD + 91 * DAY_MS);
  const later = await sold({ ...buyer, as: await callerFor(buyer.user.id) });
  await withdraw(later);
  await sweepSoon();
  expect(await stateOf(later)).toBe("granted");
});

test("a refunded lead does not raise the cap", async () => {
  const buyer = await insertProvider();
  for (let n = 0; n < 8; n++)
    await insertClockedSale(db, buyer.user, { purchasedAt: SOLD - DAY_MS, paymentStatus: "refunded" });
  const two = [await sold(buyer), await sold(buyer)];
  for (const one of two) await withdraw(one);
  await sweepSoon();
  expect((await Promise.all(two.map(stateOf))).toSorted()).toEqual(["capped", "granted"]);
});

test("a revoked free claim does not count towards the cap", async () => {
  const buyer = await insertProvider();
  const [first, second] = [await sold(buyer), await sold(buyer)];
  await respond(first, "never_asked");
  await sweepSoon();
  await respond(first, "not_yet");
  await sweepSoon();
  await withdraw(second);
  await sweepSoon();
  expect([await stateOf(first), await stateOf(second)]).toEqual(["revoked", "granted"]);
});

test("a decision is contested once, by its business, and a person decides for good", async () => {
  const one = await sold();
  await tryInVain(one);
  await say(one, "not_missed");
  expect((await contest({ ...one, as: (await insertProvider()).as })).status).toBe(404);
  expect((await contest(one)).status).toBe(200);
  expect(await caseOf(one)).toMatchObject({ state: "contested", canContest: false });
  expect(await code(await contest(one))).toBe("not_contestable");
  const admin = await insertAdmin();
  const list = await (await admin.asAdmin("GET", "/api/super-admin/guarantee")).json<AdminGuaranteeCase[]>();
  expect(list.find(({ purchaseId }) => purchaseId === one.purchaseId)).toMatchObject({
    state: "contested",
    contestNote: "I have the call records",
  });
  const path = `/api/super-admin/guarantee/${one.purchaseId}/answer`;
  expect((await admin.asAdmin("POST", path, { decision: "refused", answer: "So do they" })).status).toBe(200);
  expect(await caseOf(one)).toMatchObject({ state: "refused", answer: "So do they", canContest: false });
  expect(await code(await contest(one))).toBe("not_contestable");
  expect(await actionsOf(one)).toEqual(["guarantee.refuse", "guarantee.contest", "guarantee.refuse"]);
});

test("a contested bad-lead report that is granted after all is a bad lead in all figures", async () => {
  const one = await sold();
  expect(
    (await one.as("POST", `/api/lead-purchases/${one.purchaseId}/bad-lead`, { reason: "fake" })).status,
  ).toBe(201);
  const { id } = (await desk(one)).reports[0]!;
  const admin = await insertAdmin();
  await admin.asAdmin("POST", `/api/super-admin/bad-leads/${id}/answer`, {
    decision: "refused",
    answer: "We reached them.",
  });
  expect(await caseOf(one)).toMatchObject({ rule: "bad_lead_report", state: "refused", canContest: true });
  expect((await contest(one)).status).toBe(200);
  await admin.asAdmin("POST", `/api/super-admin/guarantee/${one.purchaseId}/answer`, { decision: "granted" });
  expect(await desk(one)).toMatchObject({ reports: [{ state: "granted" }], claimPrices: ["50.00"] });
});

test("a lead with a free claim cannot be reported as a bad lead too", async () => {
  const one = await sold();
  await withdraw(one);
  await sweepSoon();
  const response = await one.as("POST", `/api/lead-purchases/${one.purchaseId}/bad-lead`, { reason: "fake" });
  expect(await code(response)).toBe("bad_lead_reported");
});

test("a free claim pays for a lead of the same price only", async () => {
  const one = await sold();
  await withdraw(one);
  await sweepSoon();
  const cheap = await insertPendingLead(db, {}, Date.now());
  await setLead(cheap.id, { priceCents: RESCUE_PRICE_CENTS });
  await putOnMarket({ ...cheap, priceCents: RESCUE_PRICE_CENTS });
  expect(await code(await one.as("POST", `/api/leads/${cheap.id}/claim-with-credit`))).toBe("no_credit");
  const same = await listed({}, Date.now());
  expect((await one.as("POST", `/api/leads/${same.id}/claim-with-credit`)).status).toBe(201);
  expect(await freeClaimsOf(one)).toEqual([]);
});

test("a free claim is taken back if the request is passed on later", async () => {
  const one = await sold();
  await say(one, "wrong_number");
  await at(END);
  expect(await stateOf(one)).toBe("granted");
  await rescue(one.lead.id);
  await sweepSoon();
  expect(await stateOf(one)).toBe("revoked");
  expect(await freeClaimsOf(one)).toEqual([]);
});

test("a customer who takes back that they never asked is asked for a review, also after its time", async () => {
  const one = await sold();
  await moveTo(one, "job_complete");
  await respond(one, "never_asked");
  await sweepSoon();
  expect(await stateOf(one), "a quote stands against it").toBe("refused");
  vi.setSystemTime(SOLD + 25 * HOUR_MS);
  expect(await countInvitations(one)).toBe(0);
  await respond(one, "called");
  expect(await countInvitations(one)).toBe(1);
});

test("a used free claim stays used when its reason goes away, without an email or an invitation to review", async () => {
  const { user, as } = await insertProvider({ email: "used.claim@example.com" });
  const one = await sold({ user, as });
  await respond(one, "never_asked");
  await sweepSoon();
  const next = await listed({}, Date.now());
  expect((await one.as("POST", `/api/leads/${next.id}/claim-with-credit`)).status).toBe(201);
  await respond(one, "not_yet");
  await sweepSoon();
  const later = Date.now() + HOUR_MS;
  await runSweep("claim_sweep", later);
  await at(later);
  const mails = (await deliverMail(later)).filter(({ to }) => to === user.email);
  expect(mails.map(({ subject }) => subject)).toEqual(["You got a free claim"]);
  const ofCase = eq(guaranteeCases.purchaseId, one.purchaseId);
  const [stored] = await db.select().from(guaranteeCases).where(ofCase);
  expect(stored).toMatchObject({ state: "granted", dueAt: null });
  const [freeClaim] = await db.select().from(freeClaims).where(eq(freeClaims.purchaseId, one.purchaseId));
  expect(freeClaim).toMatchObject({ usedForLeadId: next.id, revokedAt: null });
  vi.setSystemTime(SOLD + 15 * DAY_MS);
  expect(await countInvitations(one)).toBe(0);
});

const rate = async () =>
  (await (await call("GET", "/api/guarantee-rate")).json<{ rate: FreeClaimRate | null }>()).rate;

const undo = ({ as, purchaseId }: Sold, salesStage: string, undoes: string) =>
  as("PATCH", `/api/lead-purchases/${purchaseId}/sales-stage`, { salesStage, undoes });
const writeReview = async ({ token }: Sold) =>
  (await (await call("POST", "/api/reviews", { body: { token, stars: 5 } })).json<{ outcome: string }>())
    .outcome;
const answerAs = async (decision: "granted" | "refused", { purchaseId }: Sold) => {
  const { asAdmin } = await insertAdmin();
  const path = `/api/super-admin/guarantee/${purchaseId}/answer`;
  expect((await asAdmin("POST", path, { decision })).status).toBe(200);
};
const shownReviews = async ({ user }: Sold) => (await publicReviews(user.id)).shown;

test("a completion that was undone, and then a wrong number: a person decides", async () => {
  const one = await sold();
  await moveTo(one, "job_complete");
  expect((await undo(one, "accepted_lead", "job_complete")).status).toBe(200);
  await say(one, "wrong_number");
  await at(END);
  expect(await stateOf(one)).toBe("capped");
  expect(await freeClaimsOf(one)).toEqual([]);
});

test("a review and then a wrong number: a person decides, and a free claim hides the review", async () => {
  const one = await sold();
  const reviewId = await insertReview(db, one.purchaseId, { writtenAt: SOLD + 1, stars: 5 });
  await insertProfile(db, one.user);
  expect(await shownReviews(one)).toBe(1);
  await say(one, "wrong_number");
  await at(END);
  expect(await stateOf(one)).toBe("capped");
  PublicPages.expiries.length = 0;
  await answerAs("granted", one);
  expect(await freeClaimsOf(one)).toEqual(["50.00"]);
  expect(await shownReviews(one)).toBe(0);
  expect(PublicPages.expiries).toEqual(["purge"]);
  // The number is right after all.
  await moveTo(one, "quote_sent");
  await sweepOnline();
  expect(await stateOf(one)).toBe("revoked");
  expect(await shownReviews(one)).toBe(1);
  expect(PublicPages.expiries).toEqual(["purge", "purge"]);
  const entries = await auditEntries(reviewId);
  const [byFreeClaim, shown] = [
    { rule: "free_claim", flag: null },
    { rule: null, flag: null },
  ];
  expect(entries).toMatchObject([
    { action: "review.hide", actorUserId: expect.any(String), before: shown, after: { rule: "free_claim" } },
    { action: "review.show", actorUserId: null, before: byFreeClaim, after: { rule: null } },
  ]);
});

test("a review that an admin hid by a rule stays hidden by it, whatever becomes of the free claim", async () => {
  const one = await sold();
  const hidden = { hiddenRule: "abuse", hiddenAt: SOLD + 2 } as const;
  await insertReview(db, one.purchaseId, { writtenAt: SOLD + 1, ...hidden });
  await say(one, "wrong_number");
  await at(END);
  await answerAs("granted", one);
  await moveTo(one, "quote_sent");
  await sweepSoon();
  expect(await stateOf(one)).toBe("revoked");
  const [review] = await db.select().from(reviews).where(eq(reviews.purchaseId, one.purchaseId));
  expect(review).toMatchObject(hidden);
});

test("a free claim, and then the review of an earlier invitation: the invitation is closed", async () => {
  const one = await sold();
  await insertReview(db, one.purchaseId, { writtenAt: null, stars: null, words: null });
  await say(one, "wrong_number");
  await at(END);
  expect(await stateOf(one)).toBe("granted");
  expect(await writeReview(one)).toBe("closed");
  const page = await call("GET", `/api/reviews?token=${one.token}`);
  expect(await page.json()).toMatchObject({ review: { isOpen: false, stars: null } });
  expect(await shownReviews(one)).toBe(0);
});

test("the public rate of free claims appears from 20 sales on, and is counted once a day", async () => {
  const count = async () => {
    await db.delete(publicFigures);
    await sweepSoon();
  };
  await db.delete(freeClaims);
  await db.delete(guaranteeCases);
  await db.update(leadPurchases).set({ mode: "assigned" });
  const buyer = await insertProvider();
  for (let n = 0; n < 18; n++) await insertClockedSale(db, buyer.user, { purchasedAt: SOLD - DAY_MS });
  const last = await sold(buyer);
  await withdraw(last);
  await sweepSoon();
  await count();
  expect(await rate(), "19 sales").toBeNull();
  await insertClockedSale(db, buyer.user, { purchasedAt: SOLD - DAY_MS });
  await sweepSoon();
  expect(await rate(), "counted today").toBeNull();
  await count();
  expect(await rate()).toEqual({ sales: 20, claims: 1 });
});

test("row 66: two sweeps at once decide a case once", async () => {
  const one = await sold();
  await withdraw(one);
  const now = Date.now() + MINUTE_MS;
  await Promise.all([runSweep("guarantee_sweep", now), runSweep("guarantee_sweep", now)]);
  expect(await actionsOf(one)).toEqual(["guarantee.grant"]);
  const claims = and(eq(freeClaims.purchaseId, one.purchaseId));
  expect(await db.$count(freeClaims, claims)).toBe(1);
});

/** Returns bindings that run an act before their first write, after the sweep has read its cases. */
function envWith(act: () => Promise<void>) {
  let first: Promise<void> | null = null;
  const DB = new Proxy(testEnv.DB, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (key === "batch")
        return async (statements: D1PreparedStatement[]) => {
          await (first ??= act());
          return target.batch(statements);
        };
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...testEnv, DB };
}

const WHILE_DECIDING: Record<string, (one: Sold) => Promise<unknown>> = {
  "a quote": (one) => moveTo(one, "quote_sent"),
  "a call": (one) => logCall(one, Date.now(), "called"),
  "the right number from the customer": (one) => correctNumber(one, "0491 570 158"),
  "the right number from the buyer": ({ as, purchaseId }) =>
    as("PATCH", `/api/lead-purchases/${purchaseId}/customer`, { customerPhone: "0491 570 158" }),
  "the customer's word that they were called": (one) => respond(one, "called"),
};

test.each(Object.keys(WHILE_DECIDING))("%s during the sweep's decision leaves no free claim", async (act) => {
  const one = await sold();
  await say(one, "wrong_number");
  vi.setSystemTime(END);
  await runSweep(
    "guarantee_sweep",
    END,
    envWith(async () => void (await WHILE_DECIDING[act]!(one))),
  );
  await sweepSoon();
  expect(await stateOf(one)).toBe("refused");
  expect(await freeClaimsOf(one)).toEqual([]);
});

test("a review during the sweep's decision: a person decides", async () => {
  const one = await sold();
  await insertReview(db, one.purchaseId, { writtenAt: null, stars: null, words: null });
  await say(one, "wrong_number");
  vi.setSystemTime(END);
  await runSweep(
    "guarantee_sweep",
    END,
    envWith(async () => expect(await writeReview(one)).toBe("written")),
  );
  await sweepSoon();
  expect(await stateOf(one)).toBe("capped");
  expect(await freeClaimsOf(one)).toEqual([]);
});

test("a reply by text during the sweep's decision leaves no free claim for unanswered calls", async () => {
  const one = await sold();
  const due = (await tryInVain(one)) + 2 * DAY_MS;
  await deliverMail(due - DAY_MS);
  vi.setSystemTime(due);
  const reply = () => setPurchase(one.purchaseId, { answeredAt: due, updatedAt: due + 1 });
  await runSweep(
    "guarantee_sweep",
    due,
    envWith(async () => void (await reply())),
  );
  await sweepSoon();
  expect(await stateOf(one)).toBe("refused");
});
