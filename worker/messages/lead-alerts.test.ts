/** A user chooses alerts by region, service, urgency and size, and gets none during a pause. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { NotificationSettings } from "../../contract/notifications.ts";
import { SIMPLE_QUOTE_DEFAULTS } from "../../contract/simple-quotes.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../contract/sydney-time.ts";
import { buyer, listedLead, runAlarm } from "../../testing/cards.ts";
import { callWith, db } from "../../testing/client.ts";
import { deliverMessages, listed } from "../../testing/drivers.ts";
import {
  usePushStandIn,
  deliverAll,
  newRecipient,
  messagesFor,
  pushEnv,
  PUSH_SETTINGS,
} from "../../testing/push.ts";
import { quoteRequest } from "../../testing/world.ts";
import { alertSettings, messages, pushDevices } from "../tables.ts";

const service = usePushStandIn();

type TestRecipient = Awaited<ReturnType<typeof newRecipient>>;

beforeEach(async () => {
  vi.useRealTimers();
  await db.delete(messages);
  await db.delete(pushDevices);
  service.delivered.length = 0;
});

const titlesTo = ({ subscription }: TestRecipient) =>
  service.deliveredTo(subscription).map(({ data }) => data.notification.title);

async function setAlerts({ as }: TestRecipient, alerts: object) {
  const response = await as("PUT", "/api/notifications/lead-alerts", alerts);
  expect(response.status, await response.clone().text()).toBe(200);
}

/** Sets quiet hours in a deployment that sends notifications, so that it sends due messages. */
const setQuiet = async (
  { as }: TestRecipient,
  hours: { isOn: boolean; startsAt: string; endsAt: string },
) => {
  const path = "/api/notifications/quiet-hours";
  expect((await callWith(PUSH_SETTINGS, "PUT", path, { cookie: as.cookie, body: hours })).status).toBe(200);
};

const settingsOf = async ({ as }: TestRecipient) =>
  (await (await as("GET", "/api/notifications")).json()) as NotificationSettings;

let streets = 0;

/** A visitor requests a quote through the public form. */
async function ask(overrides: Parameters<typeof quoteRequest>[0] = {}) {
  streets += 1;
  const address = { customerAddress: `${streets} Norton Street, Leichhardt NSW 2040` };
  const body = quoteRequest({ ...address, ...overrides });
  expect((await callWith(PUSH_SETTINGS, "POST", "/api/leads", { body })).status).toBe(201);
}

/** Lists a lead at the fake clock's time. */
async function listedAt(customerAddress: string, urgency: "urgent" | "flexible" = "urgent"): Promise<string> {
  return (await listed({ customerAddress, urgency })).id;
}

const NEW = "New lead in Leichhardt 2040";

test.each([
  ["regions", { regions: ["blacktown"] }, { regions: ["inner-west"] }],
  ["services", { services: ["pressure_washing"] }, { services: ["lawn_mowing", "pressure_washing"] }],
  ["urgencies", { urgencies: ["flexible"] }, { urgencies: ["flexible", "urgent"] }],
  ["sizes", { leastSize: "extra_large" }, { leastSize: "large" }],
])("a user who chose %s gets alerts only for those", async (_, others, these) => {
  const watched = { watchedRegions: ["inner-west", "blacktown"] };
  const [all, unsubscribed, subscribed] = [
    await newRecipient(service, watched),
    await newRecipient(service, watched),
    await newRecipient(service, watched),
  ];
  await setAlerts(unsubscribed, others);
  await setAlerts(subscribed, these);
  await ask({ serviceType: ["lawn_mowing"], urgency: "urgent", propertySize: "large" });
  expect([all, unsubscribed, subscribed].map(titlesTo)).toEqual([[NEW], [], [NEW]]);
  expect(await messagesFor(unsubscribed.deviceId), "not even written").toEqual([]);
});

test("a lead of unknown size causes an alert", async () => {
  const selective = await newRecipient(service);
  await setAlerts(selective, { leastSize: "extra_large" });
  await ask({ ...SIMPLE_QUOTE_DEFAULTS, grassType: null, accessRequirements: null, stated: [] });
  expect(titlesTo(selective)).toEqual([NEW]);
});

test("a chosen region that is no longer watched is ignored until it is watched again", async () => {
  const mover = await newRecipient(service, { watchedRegions: ["inner-west", "blacktown"] });
  await setAlerts(mover, { regions: ["inner-west"] });
  await mover.as("PUT", "/api/user/watched-regions", { regions: ["blacktown"] });
  await ask();
  expect(titlesTo(mover)).toEqual([]);
  expect((await settingsOf(mover)).leadAlerts.regions).toEqual(["inner-west"]);
  await mover.as("PUT", "/api/user/watched-regions", { regions: ["inner-west"] });
  await ask();
  expect(titlesTo(mover)).toEqual([NEW]);
});

test("omitted fields do not change, and null means all", async () => {
  const { as, ...one } = await newRecipient(service);
  const of = async () => (await settingsOf({ as, ...one })).leadAlerts;
  const nothing = { regions: null, services: null, urgencies: null, leastSize: null, pausedUntil: null };
  expect(await of()).toEqual(nothing);
  const pausedUntil = addDays(sydneyDay(Date.now()), 7);
  await setAlerts({ as, ...one }, { urgencies: ["urgent"], leastSize: "large" });
  await setAlerts({ as, ...one }, { pausedUntil });
  const chosen = { ...nothing, urgencies: ["urgent"], leastSize: "large", pausedUntil };
  expect(await of()).toEqual(chosen);
  await setAlerts({ as, ...one }, {});
  expect(await of()).toEqual(chosen);
  const [row] = await db.select().from(alertSettings).where(eq(alertSettings.userId, one.user.id));
  expect(row!.pausedUntil).toBe(startOfSydneyDay(pausedUntil));
  await setAlerts({ as, ...one }, { urgencies: null, leastSize: null, pausedUntil: null });
  expect(await of()).toEqual(nothing);
});

test.each([
  ["urgency", { urgencies: ["flexible"] }],
  ["pause", { pausedUntil: addDays(sydneyDay(Date.now()), 3) }],
])("a choice made between listing and sending applies: %s", async (_, alerts) => {
  const watcher = await newRecipient(service);
  await listedLead();
  await deliverMessages(Date.now(), pushEnv);
  expect(await messagesFor(watcher.deviceId)).toMatchObject([{ template: "new_lead", state: "waiting" }]);
  await setAlerts(watcher, alerts);
  await deliverAll();
  expect(titlesTo(watcher)).toEqual([]);
  const states = new Map(
    (await messagesFor(watcher.deviceId)).map(({ template, state }) => [template, state]),
  );
  expect(states.get("new_lead")).toBe("dropped");
});

/** Noon in Sydney, in summer. */
const NOON = Date.parse("2026-11-24T01:00:00Z");
/** The start of "2026-11-27" in Sydney. */
const FRIDAY = Date.parse("2026-11-26T13:00:00Z");

/** Sets the date. Timers still run. */
function setClock(at: number): number {
  vi.useFakeTimers({ now: at, toFake: ["Date"] });
  return at;
}

test("during a pause no alert is sent; afterwards one digest lists the leads still for sale", async () => {
  setClock(NOON);
  const centralCoast = { watchedRegions: ["central-coast"] };
  const away = await newRecipient(service, centralCoast);
  const here = await newRecipient(service, centralCoast);
  await setAlerts(away, { pausedUntil: "2026-11-27", urgencies: ["urgent"] });
  await listedAt("6 Mann Street, Gosford NSW 2250");
  await listedAt("7 Mann Street, Gosford NSW 2250", "flexible");
  await deliverAll();
  setClock(NOON + DAY_MS);
  await listedAt("8 Mann Street, Gosford NSW 2250");
  await deliverAll();
  expect(titlesTo(here).length).toBeGreaterThan(1);
  await deliverAll(setClock(FRIDAY - MINUTE_MS));
  expect(titlesTo(away)).toEqual([]);
  expect(await messagesFor(away.deviceId)).toMatchObject([{ template: "lead_digest", due: FRIDAY }]);
  await deliverAll(setClock(FRIDAY + MINUTE_MS));
  await deliverAll(setClock(FRIDAY + HOUR_MS));
  expect(titlesTo(away)).toEqual(["2 leads you can still buy"]);
  await listedAt("9 Mann Street, Gosford NSW 2250");
  await deliverAll();
  expect(titlesTo(away).at(-1)).toBe("New lead in Gosford 2250");
});

test("changed quiet hours reschedule the messages that wait for their end", async () => {
  const quiet = { isOn: true, startsAt: "20:00", endsAt: "07:00" };
  setClock(FRIDAY - 2 * HOUR_MS);
  const quietRecipient = await newRecipient(
    service,
    { watchedRegions: ["canterbury-bankstown-and-st-george"] },
    quiet,
  );
  const keep = (hours: typeof quiet) => setQuiet(quietRecipient, hours);
  await listedAt("6 Canterbury Road, Campsie NSW 2194");
  await deliverAll();
  await keep({ ...quiet, endsAt: "09:00" });
  await listedAt("7 Canterbury Road, Campsie NSW 2194");
  await deliverAll();
  await deliverAll(setClock(FRIDAY + 7 * HOUR_MS));
  expect(titlesTo(quietRecipient), "quiet until nine now").toEqual([]);
  await keep({ ...quiet, isOn: false });
  expect(titlesTo(quietRecipient), "said at once, nothing twice").toEqual(["2 leads you can still buy"]);
  await deliverAll(setClock(FRIDAY + 9 * HOUR_MS));
  expect(titlesTo(quietRecipient)).toHaveLength(1);
});

test("turning quiet hours off during a pause sends nothing at once", async () => {
  setClock(FRIDAY - 2 * HOUR_MS);
  const quiet = { startsAt: "20:00", endsAt: "07:00" };
  const away = await newRecipient(service, { watchedRegions: ["hills-and-hawkesbury"] }, quiet);
  await setAlerts(away, { pausedUntil: "2026-12-04" });
  await listedAt("6 Old Northern Road, Castle Hill NSW 2154");
  await deliverAll();
  await away.as("PUT", "/api/notifications/quiet-hours", { isOn: false, ...quiet });
  await deliverAll();
  expect(titlesTo(away)).toEqual([]);
  const left = await messagesFor(away.deviceId);
  expect(left.map(({ template, due }) => [template, due])).toEqual([["lead_digest", FRIDAY + 7 * DAY_MS]]);
  // The pause ends at midnight, and quiet hours are off.
  await deliverAll(setClock(FRIDAY + 7 * DAY_MS + MINUTE_MS));
  expect(titlesTo(away)).toEqual(["New lead in Castle Hill 2154"]);
});

test("quiet hours extended during a pause apply when the pause is cancelled", async () => {
  setClock(FRIDAY - 2 * HOUR_MS);
  const quiet = { isOn: true, startsAt: "20:00", endsAt: "07:00" };
  const away = await newRecipient(service, { watchedRegions: ["penrith-and-blue-mountains"] }, quiet);
  await listedAt("6 High Street, Penrith NSW 2750");
  await deliverAll();
  await setAlerts(away, { pausedUntil: "2026-12-04" });
  await setQuiet(away, { ...quiet, endsAt: "09:00" });
  await setAlerts(away, { pausedUntil: null });
  await deliverAll(setClock(FRIDAY + 7 * HOUR_MS + MINUTE_MS));
  expect(titlesTo(away)).toEqual([]);
  await deliverAll(setClock(FRIDAY + 9 * HOUR_MS + MINUTE_MS));
  expect(titlesTo(away)).toEqual(["New lead in Penrith 2750"]);
});

test("turning on quiet hours delays messages that are about to be due: a digest or a held lead", async () => {
  const evening = setClock(FRIDAY - 2 * HOUR_MS);
  const quiet = { isOn: true, startsAt: "20:00", endsAt: "07:00" };
  const one = await newRecipient(service, { watchedRegions: ["blacktown"] });
  const rival = await buyer({ watchedRegions: ["blacktown"] });
  const leadId = await listedAt("6 Main Street, Blacktown NSW 2148");
  const { holdId } = await rival.opened(leadId);
  await deliverAll();
  await listedAt("7 Main Street, Blacktown NSW 2148");
  await deliverAll();
  await setQuiet(one, quiet);
  await rival.close(holdId);
  await runAlarm(leadId);
  await deliverAll(setClock(evening + 2 * MINUTE_MS));
  expect(titlesTo(one)).toEqual([]);
  await deliverAll(setClock(FRIDAY + 7 * HOUR_MS + MINUTE_MS));
  expect(titlesTo(one)).toEqual(["2 leads you can still buy"]);
});

test("extending a pause delays the digest, and ending it sends the digest once", async () => {
  setClock(NOON);
  const away = await newRecipient(service, { watchedRegions: ["macarthur"] });
  await setAlerts(away, { pausedUntil: "2026-11-27" });
  await listedAt("6 Queen Street, Campbelltown NSW 2560");
  await deliverAll();
  await setAlerts(away, { pausedUntil: "2026-12-04" });
  setClock(NOON + DAY_MS);
  await listedAt("7 Queen Street, Campbelltown NSW 2560");
  await deliverAll();
  await deliverAll(setClock(FRIDAY + MINUTE_MS));
  expect(titlesTo(away)).toEqual([]);
  const waiting = (await messagesFor(away.deviceId)).filter(({ state }) => state === "waiting");
  expect(waiting).toMatchObject([{ template: "lead_digest", due: FRIDAY + 7 * DAY_MS }]);
  const answer = await callWith(PUSH_SETTINGS, "PUT", "/api/notifications/lead-alerts", {
    cookie: away.as.cookie,
    body: { pausedUntil: null },
  });
  expect(await answer.json()).toMatchObject({ pausedUntil: null });
  expect(titlesTo(away)).toEqual(["2 leads you can still buy"]);
  await deliverAll(setClock(FRIDAY + 8 * DAY_MS));
  expect(titlesTo(away)).toHaveLength(1);
});

test("a pause that is shortened, extended and shortened again has one digest, with the earliest lead", async () => {
  setClock(NOON);
  const away = await newRecipient(service, { watchedRegions: ["northern-beaches"] });
  for (const [street, pausedUntil] of [
    [6, "2026-11-27"],
    [7, "2026-12-04"],
    [8, "2026-11-27"],
    [9, "2026-11-26"],
    [10, "2026-11-27"],
  ] as const) {
    await setAlerts(away, { pausedUntil });
    await listedAt(`${street} The Corso, Manly NSW 2095`);
    await deliverAll();
  }
  await deliverAll(setClock(FRIDAY - DAY_MS + MINUTE_MS));
  await deliverAll(setClock(FRIDAY + MINUTE_MS));
  expect(titlesTo(away)).toEqual(["5 leads you can still buy"]);
});

test("a lead that was held when the pause began is in the digest", async () => {
  setClock(NOON);
  const away = await newRecipient(service, { watchedRegions: ["sutherland-shire"] });
  const rival = await buyer({ watchedRegions: ["blacktown"] });
  const leadId = await listedAt("6 Kingsway, Cronulla NSW 2230");
  const { holdId } = await rival.opened(leadId);
  await deliverAll();
  await setAlerts(away, { pausedUntil: "2026-11-27" });
  await deliverAll(setClock(NOON + MINUTE_MS));
  await rival.close(holdId);
  await runAlarm(leadId);
  await deliverAll(setClock(FRIDAY + MINUTE_MS));
  expect(titlesTo(away)).toEqual(["New lead in Cronulla 2230"]);
});

test("a test message is sent during a pause", async () => {
  const away = await newRecipient(service);
  await setAlerts(away, { pausedUntil: addDays(sydneyDay(Date.now()), 7) });
  const path = `/api/notifications/devices/${away.deviceId}/test`;
  expect((await callWith(PUSH_SETTINGS, "POST", path, { cookie: away.as.cookie })).status).toBe(202);
  expect(titlesTo(away)).toEqual(["Notifications are working"]);
});

test("a user who wants few of many leads still gets them after a pause", async () => {
  setClock(NOON);
  const away = await newRecipient(service, { watchedRegions: ["parramatta"] });
  await setAlerts(away, { pausedUntil: "2026-11-27", urgencies: ["urgent"] });
  await listedAt("1 Church Street, Parramatta NSW 2150");
  await deliverAll();
  for (let i = 2; i < 26; i++) await listedAt(`${i} Church Street, Parramatta NSW 2150`, "flexible");
  await deliverAll(setClock(FRIDAY + MINUTE_MS));
  expect(titlesTo(away)).toEqual(["New lead in Parramatta 2150"]);
});
