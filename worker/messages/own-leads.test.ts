/** Notifications about a lead that a provider is buying. None is sent while the provider has an open window. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../contract/durations.ts";
import { getPauseDayRange } from "../../contract/lead-alerts.ts";
import { buyer, endHold, listedLead, runAlarm, stripe, sweep, webhook } from "../../testing/cards.ts";
import { callerFor, db } from "../../testing/client.ts";
import { setPayment } from "../../testing/facts.ts";
import { erase, listed } from "../../testing/drivers.ts";
import { advanceClock } from "../../testing/clock.ts";
import { ERASED_CUSTOMER, tracesIn } from "../../testing/erased-customer.ts";
import { allowNotifications, usePushStandIn, deliverAll, messagesFor, pushEnv } from "../../testing/push.ts";
import { openSocket } from "../../testing/sockets.ts";
import { insertUser } from "../../testing/world.ts";
import { messages, pushDevices } from "../tables.ts";

/** A buyer is warned this long before their hold ends. */
const WARNING_LEAD_MS = 90_000;

const service = usePushStandIn();

beforeEach(async () => {
  stripe.clearFaults();
  await db.delete(messages);
  await db.delete(pushDevices);
  service.delivered.length = 0;
});

/** A provider with a card and a phone, who gets no alerts about new leads in these regions. */
async function buyerWithPhone() {
  const pat = await buyer({ watchedRegions: ["blacktown"] });
  const subscription = await service.subscribe();
  const allowed = await allowNotifications(pat.as.cookie, subscription);
  const { id: deviceId } = (await allowed.json()) as { id: string };
  const receivedNotifications = () => service.deliveredTo(subscription).map(({ data }) => data.notification);
  const stateOf = async (template: string) =>
    (await messagesFor(deviceId)).find((one) => one.template === template)?.state;
  const openWindow = async () => {
    const { socket } = await openSocket("/api/business/live", pat.as.cookie);
    onTestFinished(() => socket.close());
  };
  return { ...pat, deviceId, subscription, receivedNotifications, stateOf, openWindow };
}

/** A lead with the customer's details in every field. */
async function insertLead(): Promise<string> {
  return (await listed(ERASED_CUSTOMER)).id;
}

/** Closes a hold's row and releases its lead, as Stripe and the alarm would. */
async function lapse(leadId: string): Promise<void> {
  await endHold(leadId);
  await runAlarm(leadId);
}

test("a buyer without an open window gets one warning shortly before the hold expires, with a link to the lead", async () => {
  const leadId = await insertLead();
  const pat = await buyerWithPhone();
  const { holdExpiresAt } = await pat.opened(leadId);
  await deliverAll(holdExpiresAt - WARNING_LEAD_MS - 1);
  expect(pat.receivedNotifications()).toEqual([]);
  await deliverAll(holdExpiresAt - WARNING_LEAD_MS);
  await deliverAll(holdExpiresAt - MINUTE_MS);
  expect(pat.receivedNotifications()).toMatchObject([
    {
      title: expect.stringMatching(/^Pay by \d{1,2}:\d\d\s[ap]m to keep your lead$/u),
      navigate: `http://naturestrip.test/dashboard?lead=${leadId}`,
    },
  ]);
  // The push service does not store it after the hold ends.
  expect(service.deliveredTo(pat.subscription)[0]!.ttl).toBeLessThanOrEqual(WARNING_LEAD_MS / 1000);
  expect(tracesIn(JSON.stringify(service.delivered))).toEqual([]);
});

test("a pause from new leads does not delay alerts about the user's own purchase", async () => {
  const pat = await buyerWithPhone();
  const { last } = getPauseDayRange(Date.now());
  const response = await pat.as("PUT", "/api/notifications/lead-alerts", { pausedUntil: last });
  expect(response.status).toBe(200);
  const leadId = await listedLead();
  const { holdExpiresAt } = await pat.opened(leadId);
  await deliverAll(holdExpiresAt - WARNING_LEAD_MS);
  await lapse(leadId);
  await deliverAll();
  expect(pat.receivedNotifications().map(({ title }) => title)).toEqual([
    expect.stringContaining("to keep your lead"),
    "Time's up: your lead is back on the market",
  ]);
});

test("no warning is sent for a hold that is paid, closed or expired", async () => {
  const [paid, closed, late] = [await buyerWithPhone(), await buyerWithPhone(), await buyerWithPhone()];
  const won = await paid.opened(await listedLead());
  stripe.confirm(won.intentId, "good");
  expect((await paid.settle(won.holdId)).status).toBe("sold");
  const leadId = await listedLead();
  const left = await closed.opened(leadId);
  await closed.close(left.holdId);
  await runAlarm(leadId);
  await late.opened(await listedLead());
  const end = won.holdExpiresAt;
  await deliverAll(end - MINUTE_MS);
  expect(await paid.stateOf("hold_lapsing")).toBe("dropped");
  expect(await closed.stateOf("hold_lapsing")).toBe("dropped");
  service.delivered.length = 0;
  await db.update(messages).set({ state: "waiting", due: end }).where(eq(messages.recipient, late.deviceId));
  await deliverAll(end + 1);
  expect(late.receivedNotifications()).toEqual([]);
});

test("no warning is sent to a buyer with an open window; one is sent if the window is closed or asleep", async () => {
  const pat = await buyerWithPhone();
  const { holdExpiresAt } = await pat.opened(await listedLead());
  await pat.openWindow();
  await deliverAll(holdExpiresAt - WARNING_LEAD_MS);
  expect(pat.receivedNotifications()).toEqual([]);
  expect(await pat.stateOf("hold_lapsing")).toBe("waiting");
  advanceClock(2 * MINUTE_MS);
  // The message is checked again half a minute after the first check, which took some milliseconds itself.
  await deliverAll(holdExpiresAt - MINUTE_MS + SECOND_MS);
  expect(pat.receivedNotifications()).toHaveLength(1);
});

test("an expired hold sends one alert, with or without a payment attempt; a closed hold sends none", async () => {
  for (const begin of ["opened", "mustTake"] as const) {
    const pat = await buyerWithPhone();
    const leadId = await insertLead();
    const { holdId } = await pat[begin](leadId);
    await lapse(leadId);
    // D1 stored the message a moment before it closed the hold's row.
    await setPayment(holdId, { slot: 1 });
    await deliverAll();
    await setPayment(holdId, { slot: null });
    await sweep();
    await deliverAll();
    const [notification, ...more] = pat.receivedNotifications();
    expect(notification, begin).toMatchObject({
      title: "Time's up: your lead is back on the market",
      navigate: `http://naturestrip.test/dashboard?lead=${leadId}`,
    });
    expect(more, begin).toEqual([]);
  }
  expect(tracesIn(JSON.stringify(service.delivered))).toEqual([]);
  const pat = await buyerWithPhone();
  const leadId = await listedLead();
  const { holdId } = await pat.opened(leadId);
  await pat.close(holdId);
  await runAlarm(leadId);
  await deliverAll();
  expect(pat.receivedNotifications()).toEqual([]);
  expect(await pat.stateOf("hold_lapsed")).toBeUndefined();
});

test("the alert about an expired hold does not call a sold lead available; a buyer with a window gets none", async () => {
  const pat = await buyerWithPhone();
  const looking = await buyerWithPhone();
  const leadId = await listedLead();
  await pat.opened(leadId);
  await lapse(leadId);
  await (await buyer()).opened(leadId);
  const other = await listedLead();
  await looking.opened(other);
  await looking.openWindow();
  await lapse(other);
  await deliverAll();
  expect(pat.receivedNotifications()).toMatchObject([
    { title: "Time's up: your lead is gone", navigate: "http://naturestrip.test/dashboard" },
  ]);
  expect(looking.receivedNotifications()).toEqual([]);
  expect(await looking.stateOf("hold_lapsed")).toBe("dropped");
});

test("a slow payment that succeeds sends an alert to a buyer without a window, with a link to the pipeline", async () => {
  const away = await buyerWithPhone();
  const here = await buyerWithPhone();
  await here.openWindow();
  for (const pat of [away, here]) {
    const { intentId } = await pat.opened(await insertLead());
    stripe.confirm(intentId, "good");
    await webhook("payment_intent.succeeded", intentId);
    await webhook("payment_intent.succeeded", intentId);
  }
  await deliverAll();
  await deliverAll();
  expect(away.receivedNotifications()).toMatchObject([
    {
      title: "The lead in Leichhardt 2040 is yours",
      navigate: expect.stringMatching(/^http:\/\/naturestrip\.test\/dashboard\?tab=leads&lead=pur_/),
    },
  ]);
  expect(here.receivedNotifications()).toEqual([]);
  expect(await here.stateOf("lead_won")).toBe("dropped");
  expect(tracesIn(JSON.stringify(service.delivered))).toEqual([]);
});

test("the alert about a lead assigned at night waits until morning", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-22T12:00:00Z"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const pat = await buyerWithPhone();
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const leadId = await listedLead();
  const given = await admin("POST", `/api/super-admin/assign-lead/${leadId}/${pat.user.id}`);
  expect(given.status).toBe(201);
  await deliverAll();
  expect(pat.receivedNotifications()).toEqual([]);
  vi.setSystemTime(Date.parse("2026-11-22T12:00:00Z") + 8 * HOUR_MS);
  await deliverAll();
  expect(pat.receivedNotifications()).toMatchObject([{ title: "We've given you a lead in Leichhardt 2040" }]);
});

test("a late payment sends one alert about the refund", async () => {
  const pat = await buyerWithPhone();
  const leadId = await listedLead();
  const { intentId } = await pat.opened(leadId);
  await lapse(leadId);
  const rival = await buyer();
  const theirs = await rival.opened(leadId);
  stripe.confirm(theirs.intentId, "good");
  await rival.settle(theirs.holdId);
  stripe.intents.get(intentId)!.status = "requires_payment_method";
  stripe.confirm(intentId, "good");
  await webhook("payment_intent.succeeded", intentId);
  await webhook("charge.refunded", intentId);
  await deliverAll();
  const sent = pat.receivedNotifications().filter(({ title }) => title!.startsWith("Your $50"));
  expect(sent).toMatchObject([
    {
      title: "Your $50 is on its way back",
      body: "The lead in Leichhardt 2040 was gone before your payment arrived.",
      navigate: "http://naturestrip.test/receipts",
    },
  ]);
});

test("a user without a device causes no message, and erasing a request deletes its messages", async () => {
  const nobody = await buyer();
  const { intentId } = await nobody.opened(await listedLead());
  stripe.confirm(intentId, "good");
  await webhook("payment_intent.succeeded", intentId);
  expect(await db.$count(messages, eq(messages.channel, "push"))).toBe(0);
  const pat = await buyerWithPhone();
  const customerEmail = "leaves@example.com";
  const { id: leadId } = await listed({ customerEmail });
  await pat.opened(leadId);
  await lapse(leadId);
  expect(await messagesFor(pat.deviceId)).toHaveLength(2);
  await erase({ email: customerEmail }, Date.now(), pushEnv);
  expect(await messagesFor(pat.deviceId)).toEqual([]);
});
