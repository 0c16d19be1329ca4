/** The call clock of a sale and the customer's "Did they call?", through the front door. */
import { and, eq } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import type { CallAnswer, ClockPurchase } from "../../../contract/call-clock.ts";
import { clockState } from "../../../contract/call-state.ts";
import { CONSENT_WORDING } from "../../../contract/consent.ts";
import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { RequestPageAnswer } from "../../../contract/request-links.ts";
import type { CallListItem } from "../../../contract/standing.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { bodyFor } from "../../../testing/routes/api.ts";
import { call, db, testEnv } from "../../../testing/client.ts";
import { deliverMessages, erase, listed, requestLink, runSweep } from "../../../testing/drivers.ts";
import { deliverAll, deliverInQuietHours, newRecipient, usePushStandIn } from "../../../testing/push.ts";
import { enableTexts, smsEnv, useSmsStandIn } from "../../../testing/sms.ts";
import { openSocket } from "../../../testing/sockets.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import type { insertPendingLead } from "../../../testing/world.ts";
import { attention, customerUpdates, leadPurchases, leads, messageChannels, messages } from "../../tables.ts";
import { eventually } from "../../../testing/eventually.ts";

const service = usePushStandIn();
const gateway = useSmsStandIn();

const SOLD = Date.parse("2026-11-25T10:00:00+11:00");
const REMINDER = SOLD + 3 * HOUR_MS;
const END = SOLD + 4 * HOUR_MS;
const LAST_CALL_END = END + 30 * MINUTE_MS;

beforeEach(async () => {
  vi.useFakeTimers({ now: SOLD, toFake: ["Date"] });
  for (const table of [messages, messageChannels, attention]) await db.delete(table);
  // Clocks of earlier tests are not due here.
  await db.update(leadPurchases).set({ clockDueAt: null });
  gateway.sent.length = 0;
});

let people = 0;

/** Sells an urgent request at 10 am to a provider with a phone. Its customer has a link to their page. */
async function soldRequest(request: Parameters<typeof insertPendingLead>[1] = {}) {
  people += 1;
  const lead = await listed({
    consentWording: CONSENT_WORDING,
    urgency: "urgent",
    customerEmail: `casey${people}@example.com`,
    customerPhone: `02 5551 ${1000 + people}`,
    ...request,
  });
  // The provider watches no region, so the phone gets no lead alerts.
  const green = { companyName: "Green Thumbs", isVerified: true, watchedRegions: [] };
  const pat = await newRecipient(service, green);
  const body = bodyFor("POST /api/leads/:id/purchase");
  const bought = await pat.as("POST", `/api/leads/${lead.id}/purchase`, body);
  expect(bought.status).toBe(201);
  const { id: purchaseId } = await bought.json<{ id: string }>();
  const token = await requestLink(lead.id, SOLD, { sentBy: "email" });
  return { ...pat, lead, purchaseId, token };
}
type SoldRequest = Awaited<ReturnType<typeof soldRequest>>;

async function say(token: string, answer: CallAnswer) {
  const response = await call("POST", "/api/requests/call-answer", { body: { token, answer } });
  expect(response.status).toBe(200);
  return response.json<unknown>();
}

/** Opens a link as the page's script does. */
const open = (token: string) => call("POST", "/api/requests/opened", { body: { token } });

/** How the buyer's page says that the customer was confirmed. */
async function confirmedByOf({ as, purchaseId }: Pick<SoldRequest, "as" | "purchaseId">) {
  const response = await as("GET", `/api/lead-purchases/${purchaseId}`);
  return (await response.json<{ confirmedBy: string | null }>()).confirmedBy;
}

/** Sweeps at a time. The clocks of the Worker and of the test agree. */
function sweepAt(now: number) {
  vi.setSystemTime(now);
  return runSweep("call_clock_sweep", now);
}

const requestOf = async (token: string) =>
  (await (await call("GET", `/api/requests?token=${token}`)).json<RequestPageAnswer>()).request;
const pageOf = async (token: string) => (await requestOf(token))?.call;

/** The clock as the buyer's card gets it. */
async function cardOf({ as, purchaseId }: Pick<SoldRequest, "as" | "purchaseId">) {
  const response = await as("GET", `/api/lead-purchases/${purchaseId}`);
  return response.json<ClockPurchase>();
}
const stateOf = async (sold: SoldRequest) => (await cardOf(sold)).callClock?.state;
const dueOf = async ({ purchaseId }: Pick<SoldRequest, "purchaseId">) =>
  (await db.select().from(leadPurchases).where(eq(leadPurchases.id, purchaseId)))[0]!.clockDueAt;

const updatesOf = async ({ lead }: SoldRequest) =>
  (await db.select().from(customerUpdates).where(eq(customerUpdates.leadId, lead.id))).map(
    ({ kind }) => kind,
  );
const attentionOf = async ({ lead }: SoldRequest) =>
  (await db.select().from(attention).where(eq(attention.subjectId, lead.id)))
    .map(({ kind }) => kind)
    .toSorted();
const enqueued = (template: string) =>
  db.$count(messages, and(eq(messages.template, template), eq(messages.channel, "push")));

async function logContact({ as, purchaseId }: SoldRequest, outcome = "no_answer", at?: number) {
  const body = { outcome, entryKey: crypto.randomUUID(), at };
  expect((await as("POST", `/api/lead-purchases/${purchaseId}/contacts`, body)).status).toBe(200);
}

/** The result of the clock in the buyer's standing. */
async function resultOf({ as, purchaseId }: SoldRequest) {
  const rows = await (await as("GET", "/api/figures/calls?show=all&period=all")).json<CallListItem[]>();
  return rows.find(({ id }) => id === purchaseId)?.result;
}

const titles = ({ subscription }: SoldRequest) =>
  service.deliveredTo(subscription).map(({ data }) => data.notification.title);

test("a sale starts a clock of 4 hours if the job is urgent, else of 24, from 7 am to 8 pm", async () => {
  const urgent = await soldRequest();
  expect(await cardOf(urgent)).toMatchObject({ clockEndsAt: END, callClock: null });
  expect(await dueOf(urgent)).toBe(REMINDER);
  const other = await soldRequest({ urgency: "flexible" });
  // 10 hours on the 25th, 13 on the 26th and one on the 27th.
  expect((await cardOf(other)).clockEndsAt).toBe(Date.parse("2026-11-27T08:00:00+11:00"));
  expect(await pageOf(urgent.token)).toMatchObject({ canAnswer: true, answer: null });
});

test("the buyer is reminded once, and the customer asked once by email, with a link to the page", async () => {
  const sold = await soldRequest();
  const box = mailbox();
  const withMail = { ...testEnv, ...box.changed, SITE_HOST: "naturestrip.example" };
  expect(await sweepAt(REMINDER - 1)).toEqual({ moved: 0, failed: 0 });
  expect(await sweepAt(REMINDER)).toEqual({ moved: 1, failed: 0 });
  expect(await sweepAt(REMINDER + MINUTE_MS)).toEqual({ moved: 0, failed: 0 });
  const title = "Call your customer by Wednesday 2:00 pm";
  await deliverInQuietHours(sold.as);
  expect(titles(sold)).not.toContain(title);
  await deliverAll();
  expect(titles(sold)).toContain(title);
  await deliverMessages(REMINDER, withMail);
  const asked = box.sent.filter(({ subject }) => subject === "Did Green Thumbs call you?");
  expect(asked).toHaveLength(1);
  const token = /\/request\/([\w-]+)/.exec(asked[0]!.text)![1]!;
  expect(await pageOf(token)).toMatchObject({ canAnswer: true });
  expect(asked[0]!.text).not.toMatch(/ask again|get-quote|free quote/i);
  expect(await confirmedByOf(sold), "a mail scanner fetches the page").toBeNull();
  await open(token);
  expect(await confirmedByOf(sold)).toBe("email");
});

test("a customer without an email address is asked by text", async () => {
  await enableTexts();
  const sold = await soldRequest({ customerPhone: "0491 570 158", customerEmail: "" });
  await sweepAt(REMINDER);
  await deliverMessages(REMINDER, { ...smsEnv, SITE_HOST: "naturestrip.example" });
  const asked = gateway.sent.map(({ message }) => message).filter((text) => text.includes("called you"));
  expect(asked).toHaveLength(1);
  const token = /^Naturestrip [\d ]+: Has .+ called you yet\? Tell us: .+\/request\/([\w-]+)\. STOP/.exec(
    asked[0]!,
  )![1]!;
  expect(await confirmedByOf(sold)).toBeNull();
  await say(token, "not_yet");
  expect(await updatesOf(sold)).toEqual(["not_yet"]);
  expect(await confirmedByOf(sold)).toBe("sms");
});

test("a logged call or text and a moved stage stop the reminder, not the question to the customer", async () => {
  const texted = await soldRequest();
  await logContact(texted, "texted");
  const moved = await soldRequest();
  const path = `/api/lead-purchases/${moved.purchaseId}/sales-stage`;
  expect((await moved.as("PATCH", path, { salesStage: "called" })).status).toBe(200);
  expect(await sweepAt(REMINDER)).toEqual({ moved: 2, failed: 0 });
  expect(await enqueued("call_reminder")).toBe(0);
  expect(await db.$count(messages, and(eq(messages.template, "did_they_call")))).toBe(2);
  await sweepAt(END);
  expect([await stateOf(texted), await stateOf(moved)]).toEqual(["over", "over"]);
  expect((await pageOf(texted.token))!.canAnswer).toBe(false);
});

test("a call counts from when we receive it, not from the time that the phone reports", async () => {
  const sold = await soldRequest();
  vi.setSystemTime(END + 24 * HOUR_MS);
  await logContact(sold, "texted", SOLD + MINUTE_MS);
  expect(await resultOf(sold)).toBe("late");
});

test("a lead moved to Called and back counts as called for the buyer and the customer alike", async () => {
  const sold = await soldRequest();
  const path = `/api/lead-purchases/${sold.purchaseId}/sales-stage`;
  for (const salesStage of ["called", "accepted_lead"])
    expect((await sold.as("PATCH", path, { salesStage })).status).toBe(200);
  await sweepAt(REMINDER);
  expect(await enqueued("call_reminder")).toBe(0);
  const page = await call("GET", `/api/requests?token=${sold.token}`);
  const { request } = await page.json<RequestPageAnswer>();
  expect(request!.steps.find(({ step }) => step === "called")!.at).not.toBeNull();
  expect(clockState(await cardOf(sold))).toBe("calling");
});

test("a customer who says that they were called reads so in the steps, until the buyer logs a call", async () => {
  const sold = await soldRequest();
  const steps = async () => (await requestOf(sold.token))!.steps.slice(2);
  vi.setSystemTime(SOLD + HOUR_MS);
  await say(sold.token, "not_yet");
  expect(await steps()).toEqual([{ step: "taken", at: SOLD }]);
  vi.setSystemTime(SOLD + 2 * HOUR_MS);
  await say(sold.token, "called");
  const called = { step: "called", at: SOLD + 2 * HOUR_MS };
  expect(await steps()).toEqual([{ step: "taken", at: SOLD }, called]);
  vi.setSystemTime(SOLD + 3 * HOUR_MS);
  await logContact(sold, "booked");
  const booked = { step: "booked", at: SOLD + 3 * HOUR_MS };
  expect(await steps()).toEqual([{ step: "taken", at: SOLD }, called, booked]);
});

test("a buyer who marks the job as done without a call does not stop the customer's no, nor the rescue", async () => {
  const sold = await soldRequest();
  const path = `/api/lead-purchases/${sold.purchaseId}/sales-stage`;
  expect((await sold.as("PATCH", path, { salesStage: "job_complete" })).status).toBe(200);
  expect(await pageOf(sold.token)).toMatchObject({ canAnswer: true, callBy: END });
  await say(sold.token, "not_yet");
  await sweepAt(REMINDER);
  await sweepAt(END);
  await sweepAt(LAST_CALL_END);
  expect(await stateOf(sold)).toBe("asked_again");
  vi.setSystemTime(LAST_CALL_END + MINUTE_MS);
  await say(sold.token, "not_yet");
  await sweepAt(LAST_CALL_END + MINUTE_MS);
  expect(await stateOf(sold)).toBe("rescued");
});

test("not yet: the buyer's windows and phone get it at once, and after 30 more minutes the request is passed on", async () => {
  const sold = await soldRequest();
  const { socket, frame } = await openSocket("/api/business/live", sold.as.cookie);
  await frame(0);
  expect(await say(sold.token, "not_yet")).toEqual({ noted: true });
  expect(await frame(1)).toMatchObject({ type: "purchase_changed", purchaseId: sold.purchaseId });
  socket.close();
  expect(await cardOf(sold)).toMatchObject({ callClock: { answer: "not_yet", answeredAt: SOLD } });
  expect(await pageOf(sold.token)).toEqual({
    canAnswer: true,
    answer: "not_yet",
    callBy: END,
    isContactedSince: false,
    isAskedAgain: false,
    isWithAdmin: false,
  });
  expect(await enqueued("call_answered")).toBe(1);
  await sweepAt(REMINDER);
  await sweepAt(END);
  expect((await cardOf(sold)).callClock).toMatchObject({ state: "last_call", lastCallEndsAt: LAST_CALL_END });
  expect(await pageOf(sold.token)).toMatchObject({ callBy: LAST_CALL_END });
  await sweepAt(LAST_CALL_END - 1);
  expect(await stateOf(sold)).toBe("last_call");
  await sweepAt(LAST_CALL_END);
  expect((await cardOf(sold)).callClock).toMatchObject({
    state: "rescued",
    rescueLeadId: expect.stringMatching(/^lead_/),
  });
  expect(await sweepAt(LAST_CALL_END + HOUR_MS)).toEqual({ moved: 0, failed: 0 });
  await say(sold.token, "called");
  expect(await stateOf(sold)).toBe("rescued");
  expect(await updatesOf(sold)).toEqual(["not_yet"]);
});

test("two answers of an unconfirmed sender pass the request on, but leave the buyer's standing as it was", async () => {
  const sold = await soldRequest();
  await logContact(sold, "called");
  const token = await requestLink(sold.lead.id, SOLD);
  await open(token);
  vi.setSystemTime(SOLD + MINUTE_MS);
  await say(token, "not_yet");
  for (const time of [REMINDER, END, LAST_CALL_END]) await sweepAt(time);
  vi.setSystemTime(LAST_CALL_END + MINUTE_MS);
  expect(await resultOf(sold)).toBe("in_time");
  await say(token, "not_yet");
  await eventually(async () => expect(await stateOf(sold)).toBe("rescued"));
  expect([await confirmedByOf(sold), await resultOf(sold)]).toEqual([null, "in_time"]);
  expect(await attentionOf(sold)).toEqual([]);
  // From then on, the answers count.
  await open(sold.token);
  expect([await confirmedByOf(sold), await resultOf(sold)]).toEqual(["email", "rescued"]);
});

test("a buyer who called after the customer's \"not yet\" gets no alert that they haven't", async () => {
  const sold = await soldRequest();
  await say(sold.token, "not_yet");
  vi.setSystemTime(SOLD + MINUTE_MS);
  await logContact(sold, "called");
  expect(await pageOf(sold.token)).toMatchObject({ answer: "not_yet", isContactedSince: true });
  await sweepAt(REMINDER);
  await sweepAt(END);
  await deliverAll();
  expect(await stateOf(sold)).toBe("last_call");
  expect(titles(sold)).not.toContain("Your customer says you haven't called");
});

test("row 52: a provider who logs calls they never made: the customer is asked once more, and a second no passes it on", async () => {
  const sold = await soldRequest();
  await logContact(sold);
  await say(sold.token, "not_yet");
  for (const time of [REMINDER, END, LAST_CALL_END]) await sweepAt(time);
  expect(await stateOf(sold)).toBe("asked_again");
  expect(await attentionOf(sold)).toEqual([]);
  expect(await pageOf(sold.token)).toMatchObject({ isAskedAgain: true, callBy: null });
  vi.setSystemTime(LAST_CALL_END + MINUTE_MS);
  await say(sold.token, "not_yet");
  await eventually(async () => expect(await stateOf(sold)).toBe("rescued"));
  expect(await attentionOf(sold)).toEqual(["call_log_review"]);
  expect(await updatesOf(sold)).toEqual(["not_yet", "not_yet"]);
});

test("never asked: admins get it, the buyer gets an alert, and the clock stops until the customer takes it back", async () => {
  const sold = await soldRequest();
  await say(sold.token, "never_asked");
  expect(await attentionOf(sold)).toEqual(["never_asked"]);
  expect(await stateOf(sold)).toBe("over");
  const title = "Your customer says they never asked for this";
  await deliverInQuietHours(sold.as);
  expect(titles(sold)).not.toContain(title);
  await deliverAll();
  expect(titles(sold)).toContain(title);
  expect(await sweepAt(END)).toEqual({ moved: 0, failed: 0 });
  vi.setSystemTime(SOLD + MINUTE_MS);
  await say(sold.token, "not_yet");
  expect(await dueOf(sold)).toBe(REMINDER);
});

test("row 51: a customer who clicks twice, or in two windows at once, responds once", async () => {
  const sold = await soldRequest();
  await Promise.all([say(sold.token, "not_yet"), say(sold.token, "not_yet"), say(sold.token, "not_yet")]);
  expect(await updatesOf(sold)).toEqual(["not_yet"]);
  expect(await enqueued("call_answered")).toBe(1);
  await deliverAll();
  expect(titles(sold)).toContain("Your customer says you haven't called");
  vi.setSystemTime(SOLD + MINUTE_MS);
  await say(sold.token, "called");
  expect((await cardOf(sold)).callClock).toMatchObject({ state: "running", answer: "called" });
  await logContact(sold);
  await say(sold.token, "called");
  expect(await updatesOf(sold)).toEqual(["not_yet", "called"]);
});

test("a link that changes its response again and again rings the buyer once per response", async () => {
  const sold = await soldRequest();
  await deliverAll();
  service.delivered.length = 0;
  for (let i = 1; i <= 3; i++) {
    vi.setSystemTime(SOLD + i * 1_000);
    await say(sold.token, "not_yet");
    await deliverAll();
    await say(sold.token, "called");
  }
  await say(sold.token, "never_asked");
  await deliverAll();
  expect(titles(sold)).toEqual([
    "Your customer says you haven't called",
    "Your customer says they never asked for this",
  ]);
  vi.setSystemTime(SOLD + 6 * MINUTE_MS);
  await say(sold.token, "not_yet");
  await deliverAll();
  expect(titles(sold)).toHaveLength(3);
});

test("responses without end do not fill the buyer's timeline", async () => {
  const sold = await soldRequest();
  const { id: leadId } = sold.lead;
  for (let i = 0; i < 50; i++)
    await db.insert(customerUpdates).values({ id: `upd_${leadId}_${i}`, leadId, kind: "called", at: SOLD });
  await say(sold.token, "called");
  expect((await cardOf(sold)).callClock).toMatchObject({ answer: "called" });
  await say(sold.token, "not_yet");
  expect(await updatesOf(sold)).toHaveLength(51);
});

test("row 51: two sweeps at once take a step once", async () => {
  await soldRequest();
  const counts = await Promise.all([sweepAt(REMINDER), sweepAt(REMINDER)]);
  expect(counts.reduce((sum, { moved }) => sum + moved, 0)).toBe(1);
  expect(await enqueued("call_reminder")).toBe(1);
});

test("unknown, long and repeated links get the same response, and opening a link changes nothing", async () => {
  const sold = await soldRequest();
  const known = await say(sold.token, "called");
  expect(await say("made-up", "not_yet")).toEqual(known);
  expect(await say(sold.token, "called")).toEqual(known);
  const before = await cardOf(sold);
  for (let i = 0; i < 3; i++) await pageOf(sold.token);
  expect(await cardOf(sold)).toEqual(before);
});

test("row 54: an erased request and a removed purchase end the clock", async () => {
  const [erased, removed] = [await soldRequest(), await soldRequest()];
  for (const sold of [erased, removed]) await say(sold.token, "not_yet");
  const { customerPhone: phone } = erased.lead;
  await erase({ phone }, SOLD);
  expect([await stateOf(erased), await dueOf(erased)]).toEqual(["over", null]);
  const { asAdmin } = await insertAdmin();
  expect((await asAdmin("DELETE", `/api/lead-purchases/${removed.purchaseId}`)).status).toBe(204);
  for (const time of [REMINDER, END, LAST_CALL_END]) await sweepAt(time);
  for (const sold of [erased, removed]) {
    expect(await attentionOf(sold)).toEqual([]);
    expect(await dueOf(sold)).toBeNull();
  }
  expect(await enqueued("call_reminder")).toBe(0);
});

test("row 54: a disputed payment does not end the clock, and won or lost, the customer can still respond", async () => {
  const sold = await soldRequest();
  await db
    .update(leadPurchases)
    .set({ paymentStatus: "disputed" })
    .where(eq(leadPurchases.id, sold.purchaseId));
  expect(await pageOf(sold.token)).toMatchObject({ canAnswer: true });
  await say(sold.token, "not_yet");
  expect(await updatesOf(sold)).toEqual(["not_yet"]);
  for (const time of [REMINDER, END, LAST_CALL_END]) await sweepAt(time);
  expect(await stateOf(sold)).toBe("rescued");
});

test("row 54: after a refund an admin finds another provider, unless both sides confirmed a call", async () => {
  const [refunded, called] = [await soldRequest(), await soldRequest()];
  await logContact(called);
  await say(called.token, "called");
  for (const { purchaseId } of [refunded, called])
    await db.update(leadPurchases).set({ paymentStatus: "refunded" }).where(eq(leadPurchases.id, purchaseId));
  for (const time of [REMINDER, END, LAST_CALL_END]) await sweepAt(time);
  expect(await attentionOf(refunded)).toEqual(["rescue_needed"]);
  expect(await attentionOf(called)).toEqual([]);
  for (const sold of [refunded, called]) expect(await dueOf(sold)).toBeNull();
});

test("a purchase from before the clock has none", async () => {
  const sold = await soldRequest();
  await db
    .update(leadPurchases)
    .set({ clockEndsAt: null, clockDueAt: null })
    .where(eq(leadPurchases.id, sold.purchaseId));
  expect(await pageOf(sold.token)).toBeNull();
  await say(sold.token, "not_yet");
  expect(await cardOf(sold)).toMatchObject({ clockEndsAt: null, callClock: null });
});

/** A sold request that was passed on once already. Its customer says that no call came. */
async function soldRescue() {
  const sold = await soldRequest();
  await db
    .update(leads)
    .set({ rescuedFromId: `lead_x_${people}` })
    .where(eq(leads.id, sold.lead.id));
  await say(sold.token, "not_yet");
  return sold;
}

test("a rescued request whose second buyer does not call goes to an admin, and the customer reads so", async () => {
  const sold = await soldRescue();
  for (const time of [END, LAST_CALL_END]) await sweepAt(time);
  const [item] = await db.select().from(attention).where(eq(attention.subjectId, sold.lead.id));
  expect(item).toMatchObject({ kind: "rescue_needed", detail: expect.stringContaining("second provider") });
  expect(await dueOf(sold)).toBeNull();
  expect(await stateOf(sold)).toBe("over");
  expect(await pageOf(sold.token)).toMatchObject({ canAnswer: false, answer: "not_yet", isWithAdmin: true });
});

test("a request that is called off before its rescued lead exists does not stay rescued", async () => {
  const sold = await soldRequest();
  await say(sold.token, "not_yet");
  const callClock = { state: "rescued", answer: "not_yet", rescuedAt: END } as const;
  await db.update(leadPurchases).set({ callClock }).where(eq(leadPurchases.id, sold.purchaseId));
  const off = await call("POST", "/api/requests/withdraw", { body: { token: sold.token } });
  expect(await off.json()).toEqual({ outcome: "called_off" });
  expect(await stateOf(sold)).toBe("over");
});

/** Makes the rescue of a lead fail. @returns the function that ends it */
async function stopRescue({ lead }: SoldRequest) {
  const spy = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => spy.mockRestore());
  await testEnv.DB.exec(
    `CREATE TRIGGER stop_rescue BEFORE INSERT ON attention WHEN NEW.subject_id = '${lead.id}' BEGIN SELECT RAISE(ABORT, 'away'); END`,
  );
  return () => testEnv.DB.exec("DROP TRIGGER stop_rescue");
}

test("row 53: a rescue that fails is tried again, and does not stop the other clocks", async () => {
  // An admin gets these: the customer agreed to one provider only.
  const older = { consentWording: "older" };
  const [stuck, other] = [await soldRequest(older), await soldRequest(older)];
  for (const { token } of [stuck, other]) await say(token, "not_yet");
  await sweepAt(END);
  const repair = await stopRescue(stuck);
  expect(await sweepAt(LAST_CALL_END)).toEqual({ moved: 1, failed: 1 });
  expect(await attentionOf(other)).toEqual(["rescue_needed"]);
  // The clock is closed to the customer while the rescue is on its way.
  await say(stuck.token, "called");
  expect(await stateOf(stuck)).toBe("rescued");
  await repair();
  expect(await sweepAt(LAST_CALL_END + 2 * MINUTE_MS)).toEqual({ moved: 1, failed: 0 });
  expect(await attentionOf(stuck)).toEqual(["rescue_needed"]);
  expect(await dueOf(stuck)).toBeNull();
});

test("row 53: a step that fails goes behind the other clocks", async () => {
  const stuck = await soldRescue();
  await sweepAt(END);
  const repair = await stopRescue(stuck);
  expect(await sweepAt(LAST_CALL_END)).toEqual({ moved: 0, failed: 1 });
  expect(await dueOf(stuck)).toBe(LAST_CALL_END + 2 * MINUTE_MS);
  await repair();
  expect(await sweepAt(LAST_CALL_END + 2 * MINUTE_MS)).toEqual({ moved: 1, failed: 0 });
});
