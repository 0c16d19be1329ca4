/** A provider who turned on notifications gets one alert per lead. No other user gets one. */
import { eq, ne } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";

import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { MAX_PUSH_DEVICES } from "../../contract/notifications.ts";
import { startImpersonation } from "../../testing/admins.ts";
import { buyer, listedLead, runAlarm } from "../../testing/cards.ts";
import { call, callerFor, callWith, db } from "../../testing/client.ts";
import { deliverMessages, erase, putOnMarket, runSweeps } from "../../testing/drivers.ts";
import { bodyFor } from "../../testing/routes/api.ts";
import { ERASED_CUSTOMER, tracesIn } from "../../testing/erased-customer.ts";
import {
  allowNotifications,
  usePushStandIn,
  deliverAll,
  newRecipient,
  messagesFor,
  pushEnv,
  PUSH_SETTINGS,
} from "../../testing/push.ts";
import { insertPendingLead, insertUser, quoteRequest } from "../../testing/world.ts";
import { alertSettings, leadPurchases, leads, messages, pushDevices } from "../tables.ts";

const service = usePushStandIn();

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(pushDevices);
  service.delivered.length = 0;
  service.calls = 0;
});

const titlesTo = (who: Awaited<ReturnType<typeof newRecipient>>) =>
  service.deliveredTo(who.subscription).map(({ data }) => data.notification.title);

test("a visitor's request sends alerts only to signed-in devices that watch its region and service", async () => {
  const watcher = await newRecipient(service);
  const elsewhere = await newRecipient(service, { watchedRegions: ["blacktown"] });
  const otherWork = await newRecipient(service, { services: ["pressure_washing"] });
  const signedOut = await newRecipient(service);
  await signedOut.as("POST", "/api/auth/logout", {});
  const response = await callWith(PUSH_SETTINGS, "POST", "/api/leads", { body: quoteRequest() });
  expect(response.status).toBe(201);
  expect(service.deliveredTo(watcher.subscription)).toMatchObject([
    {
      data: { web_push: 8030, notification: { title: "New lead in Leichhardt 2040" } },
      urgency: "high",
      topic: expect.stringMatching(/^[\w-]{20,32}$/),
    },
  ]);
  expect(service.deliveredTo(watcher.subscription)[0]!.ttl).toBeLessThanOrEqual(900);
  for (const other of [elsewhere, otherWork, signedOut]) expect(titlesTo(other)).toEqual([]);
});

test("a notification links to the lead and contains nothing about the customer", async () => {
  const watcher = await newRecipient(service);
  const response = await callWith(PUSH_SETTINGS, "POST", "/api/leads", {
    body: quoteRequest(ERASED_CUSTOMER),
  });
  const { id } = await response.json<{ id: string }>();
  const [notification] = service.deliveredTo(watcher.subscription);
  expect(notification!.data.notification).toMatchObject({
    navigate: `http://naturestrip.test/dashboard?lead=${id}`,
    tag: id,
    body: expect.stringContaining("$50"),
  });
  expect(tracesIn(JSON.stringify(service.delivered))).toEqual([]);
  expect(
    tracesIn(JSON.stringify(await db.select().from(messages).where(ne(messages.channel, "email")))),
  ).toEqual([]);
});

test("with a local host, notifications are still signed as a push service accepts them", async () => {
  const watcher = await newRecipient(service);
  const here = { ...PUSH_SETTINGS, SITE_HOST: "localhost:8787" };
  expect((await callWith(here, "POST", "/api/leads", { body: quoteRequest() })).status).toBe(201);
  expect(titlesTo(watcher)).toHaveLength(1);
});

test("a lead causes one alert, even after relisting, sweeping, expanding and sending again", async () => {
  const watcher = await newRecipient(service);
  const lead = await insertPendingLead(db);
  await putOnMarket(lead, pushEnv);
  await putOnMarket(lead, pushEnv);
  await Promise.all([deliverMessages(Date.now(), pushEnv), deliverMessages(Date.now(), pushEnv)]);
  await runSweeps(Date.now(), pushEnv);
  await db.update(messages).set({ state: "waiting" }).where(eq(messages.channel, "spread"));
  await runSweeps(Date.now() + 5 * MINUTE_MS, pushEnv);
  expect(titlesTo(watcher)).toHaveLength(1);
});

test("a lead that is sold before its alert is due sends none", async () => {
  const watcher = await newRecipient(service);
  const leadId = await listedLead();
  const rival = await buyer({ watchedRegions: ["blacktown"] });
  const body = bodyFor("POST /api/leads/:id/purchase");
  expect((await rival.as("POST", `/api/leads/${leadId}/purchase`, body)).status).toBe(201);
  await deliverAll();
  expect(titlesTo(watcher)).toEqual([]);
});

test("the alert about a held lead is sent when the lead is for sale again", async () => {
  const watcher = await newRecipient(service);
  const leadId = await listedLead();
  const rival = await buyer({ watchedRegions: ["blacktown"] });
  const { holdId } = await rival.opened(leadId);
  await deliverAll();
  expect(service.calls).toBe(0);
  // Checking the lead does not count as an attempt.
  expect(await messagesFor(watcher.deviceId)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  await rival.close(holdId);
  await runAlarm(leadId);
  await deliverAll(Date.now() + MINUTE_MS);
  expect(titlesTo(watcher)).toHaveLength(1);
});

test("a device that no longer watches the region gets no alert", async () => {
  const watcher = await newRecipient(service);
  await listedLead();
  await deliverMessages(Date.now(), pushEnv);
  await watcher.as("PUT", "/api/user/watched-regions", { regions: ["blacktown"] });
  await deliverAll();
  expect(service.calls).toBe(0);
  expect(await messagesFor(watcher.deviceId)).toMatchObject([{ state: "dropped" }]);
});

test("an expired message is not sent", async () => {
  const watcher = await newRecipient(service);
  await listedLead();
  await deliverMessages(Date.now(), pushEnv);
  await deliverAll(Date.now() + 20 * MINUTE_MS);
  expect(service.calls).toBe(0);
  expect(await messagesFor(watcher.deviceId)).toMatchObject([{ state: "expired" }]);
});

test("several leads within a minute are combined in one further message", async () => {
  const watcher = await newRecipient(service);
  await listedLead();
  await deliverAll();
  for (const street of ["4 Norton Street", "5 Norton Street"])
    await listedLead(`${street}, Leichhardt NSW 2040`);
  await deliverAll();
  expect(service.deliveredTo(watcher.subscription)).toHaveLength(1);
  await deliverAll(Date.now() + MINUTE_MS);
  const [, digest] = titlesTo(watcher);
  expect(digest).toMatch(/^\d+ leads you can still buy$/);
  await deliverAll(Date.now() + 2 * MINUTE_MS);
  expect(service.deliveredTo(watcher.subscription)).toHaveLength(2);
});

test("in quiet hours nothing is sent; afterwards one digest lists the leads still for sale", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-22T12:00:00Z"), toFake: ["Date"] });
  const coast = { watchedRegions: ["central-coast"] };
  // Other test files share this database. Their leads must not be in the digest.
  await db.update(leads).set({ status: "expired" }).where(eq(leads.region, "central-coast"));
  const quietRecipient = await newRecipient(service, coast, { startsAt: "20:00", endsAt: "07:00" });
  const awake = await newRecipient(service, coast);
  for (const street of ["6 Mann Street", "7 Mann Street"]) await listedLead(`${street}, Gosford NSW 2250`);
  await deliverAll();
  expect(titlesTo(quietRecipient)).toEqual([]);
  expect(titlesTo(awake).length).toBeGreaterThan(0);
  expect(await messagesFor(quietRecipient.deviceId)).toMatchObject([
    { template: "lead_digest", due: Date.parse("2026-11-22T20:00:00Z") },
  ]);
  vi.setSystemTime(Date.parse("2026-11-22T20:00:30Z"));
  await deliverAll();
  expect(titlesTo(quietRecipient)).toEqual(["2 leads you can still buy"]);
});

test("a dead subscription is deleted; a busy or unavailable service is retried after the delay it states", async () => {
  const [gone, busy] = [
    await newRecipient(service),
    await newRecipient(service, { watchedRegions: ["blacktown"] }),
  ];
  service.unsubscribe(gone.subscription.endpoint);
  await listedLead();
  await deliverAll();
  expect(await db.select().from(pushDevices).where(eq(pushDevices.id, gone.deviceId))).toEqual([]);
  await listedLead("1 Main Street, Blacktown NSW 2148");
  service.fail({ status: 429, retryAfter: "120" }, "lost", { status: 503 });
  const start = Date.now();
  await deliverAll(start);
  service.calls = 0;
  await deliverAll(start + 110_000);
  expect(service.calls, "not before the time it asked for").toBe(0);
  await deliverAll(start + 121_000);
  await deliverAll(start + 5 * MINUTE_MS);
  expect(titlesTo(busy)).toEqual([]);
  await deliverAll(start + 10 * MINUTE_MS);
  expect(titlesTo(busy)).toEqual(["New lead in Blacktown 2148"]);
});

test("a message that is refused or redirected is not retried", async () => {
  for (const fault of [{ status: 400 }, { status: 307, location: "http://169.254.169.254/" }]) {
    const watcher = await newRecipient(service);
    await listedLead();
    service.fail(fault);
    await deliverAll();
    await deliverAll(Date.now() + 5 * MINUTE_MS);
    expect(await messagesFor(watcher.deviceId)).toMatchObject([{ state: "failed" }]);
    await db.delete(pushDevices);
  }
});

test("an endpoint that does not belong to a push service is refused", async () => {
  const { cookie } = await callerFor((await insertUser(db)).id);
  const endpoint = "https://169.254.169.254/latest/meta-data";
  const response = await allowNotifications(cookie, { ...(await service.subscribe()), endpoint });
  expect(response.status).toBe(400);
  expect(await db.select().from(pushDevices)).toEqual([]);
});

test("an invalid endpoint in the database is not called", async () => {
  const watcher = await newRecipient(service);
  await db.update(pushDevices).set({ endpoint: "https://push.test/inside" });
  await listedLead();
  await deliverAll();
  expect(service.calls).toBe(0);
  expect(await db.select().from(pushDevices).where(eq(pushDevices.id, watcher.deviceId))).toEqual([]);
});

test("a user has ten devices at most, and a browser belongs to the last user who subscribed", async () => {
  const user = await insertUser(db);
  for (let i = 0; i < MAX_PUSH_DEVICES + 3; i++)
    expect(
      (await allowNotifications((await callerFor(user.id)).cookie, await service.subscribe())).status,
    ).toBe(201);
  expect(await db.$count(pushDevices, eq(pushDevices.userId, user.id))).toBe(MAX_PUSH_DEVICES);
  const first = await newRecipient(service);
  const second = await callerFor((await insertUser(db)).id);
  await allowNotifications(second.cookie, first.subscription);
  const settings = await call("GET", "/api/notifications", { cookie: first.as.cookie });
  expect(await settings.json()).toMatchObject({ devices: [], quietHours: { isOn: false }, publicKey: null });
});

test("a test message is sent to its own device at once, and at most once a minute", async () => {
  const watcher = await newRecipient(service);
  const path = `/api/notifications/devices/${watcher.deviceId}/test`;
  const send = (cookie: string) => callWith(PUSH_SETTINGS, "POST", path, { cookie });
  expect((await send(watcher.as.cookie)).status).toBe(202);
  expect(titlesTo(watcher)).toEqual(["Notifications are working"]);
  const again = await send(watcher.as.cookie);
  expect([again.status, Number(again.headers.get("Retry-After")) <= 60]).toEqual([429, true]);
  expect((await send((await callerFor((await insertUser(db)).id)).cookie)).status).toBe(404);
  expect((await watcher.as("DELETE", `/api/notifications/devices/${watcher.deviceId}`)).status).toBe(204);
  expect((await send(watcher.as.cookie)).status).toBe(404);
});

test("customers and impersonating admins cannot turn on notifications", async () => {
  const owner = await insertUser(db);
  const customer = await callerFor((await insertUser(db, { userType: "customer" })).id);
  expect((await allowNotifications(customer.cookie, await service.subscribe())).status).toBe(403);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const cookie = await startImpersonation(admin.cookie, owner.id);
  expect((await allowNotifications(cookie, await service.subscribe())).status).toBe(403);
});

test("erasing a provider deletes their devices, alert settings and messages", async () => {
  const watcher = await newRecipient(service, { username: "leaves-for-good" });
  await listedLead();
  await deliverMessages(Date.now(), pushEnv);
  expect(await messagesFor(watcher.deviceId)).toHaveLength(1);
  expect((await erase({ username: "leaves-for-good" }, Date.now(), pushEnv)).accounts).toBe(1);
  expect(await messagesFor(watcher.deviceId)).toEqual([]);
  expect(await db.$count(pushDevices)).toBe(0);
  expect(await db.$count(alertSettings, eq(alertSettings.userId, watcher.user.id))).toBe(0);
  await deliverAll();
  expect(service.calls).toBe(0);
});

test("finished messages are deleted after a week", async () => {
  await newRecipient(service);
  await listedLead();
  await deliverAll();
  // A call clock of an earlier test would ask its customer.
  await db.update(leadPurchases).set({ clockDueAt: null });
  expect(await db.$count(messages, ne(messages.channel, "email"))).toBe(2);
  await runSweeps(Date.now() + 7 * 24 * HOUR_MS + MINUTE_MS, pushEnv);
  expect(await db.$count(messages)).toBe(0);
});

test("without keys nothing is sent, and without devices nothing is written", async () => {
  await listedLead();
  expect(await db.$count(messages, ne(messages.channel, "email"))).toBe(0);
  expect((await callWith({}, "POST", "/api/leads", { body: quoteRequest() })).status).toBe(201);
  expect(service.calls).toBe(0);
});
