/** Team members get notifications about mentions and about leads that their business gets. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { startImpersonation } from "../../testing/admins.ts";
import { buyer, listedLead } from "../../testing/cards.ts";
import { bodyFor } from "../../testing/routes/api.ts";
import { call, callerFor, callWith, db } from "../../testing/client.ts";
import { setUser, userRow } from "../../testing/facts.ts";
import { erase, putOnMarket } from "../../testing/drivers.ts";
import { ERASED_CUSTOMER, ERASED_EMAIL, tracesIn } from "../../testing/erased-customer.ts";
import {
  allowNotifications,
  usePushStandIn,
  deliverAll,
  newRecipient,
  messagesFor,
  pushEnv,
  PUSH_SETTINGS,
} from "../../testing/push.ts";
import {
  insertManualPurchase,
  insertPendingLead,
  insertTeamMember,
  insertUser,
} from "../../testing/world.ts";
import { alertSettings, messages, pushDevices, sessions, users } from "../tables.ts";

const service = usePushStandIn();

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(pushDevices);
  service.delivered.length = 0;
});

type Person = typeof users.$inferSelect;

/** A user of a business with notifications on and without quiet hours. */
async function withPhone(user: Person) {
  const as = await callerFor(user.id);
  const subscription = await service.subscribe();
  const allowed = await allowNotifications(as.cookie, subscription);
  expect(allowed.status).toBe(201);
  const { id: deviceId } = (await allowed.json()) as { id: string };
  const quiet = { isOn: false, startsAt: "20:00", endsAt: "07:00" };
  expect((await as("PUT", "/api/notifications/quiet-hours", quiet)).status).toBe(200);
  const receivedNotifications = () => service.deliveredTo(subscription).map(({ data }) => data.notification);
  return { user, as, deviceId, receivedNotifications };
}

/** A business owned by Pat, with Sam Lee on the team and a lead in its pipeline. */
async function business(member: Partial<Person> = {}) {
  const pat = await withPhone(await insertUser(db, { firstName: "Pat", lastName: "Green" }));
  const names = { firstName: "Sam", lastName: "Lee" };
  const sam = await withPhone(await insertTeamMember(db, pat.user, { ...names, ...member }));
  const purchaseId = await insertManualPurchase(db, pat.user, { stage: "called", startedAt: 1 });
  let version = 0;
  /** Saves notes on top of the last saved version. */
  const write = async (salesNotes: string, as = pat.as) => {
    const body = { salesNotes, notesVersion: version };
    const saved = await as("PATCH", `/api/lead-purchases/${purchaseId}/sales-stage`, body);
    expect(saved.status).toBe(200);
    ({ notesVersion: version } = (await saved.json()) as { notesVersion: number });
  };
  return { pat, sam, purchaseId, write };
}

/** Sends due messages after the delay for mentions. */
const deliverSettled = (afterMs = 0) => deliverAll(Date.now() + 30_000 + afterMs);

const outbox = () => db.select().from(messages);

test("a mentioned member gets one alert, without the customer's details or the notes", async () => {
  const { sam, pat, purchaseId, write } = await business();
  await write("Gate code 4711. @Sam can you quote this?");
  await deliverAll();
  expect(sam.receivedNotifications(), "the writer may still be writing").toEqual([]);
  await deliverSettled();
  await deliverSettled();
  expect(sam.receivedNotifications()).toMatchObject([
    {
      title: "Pat mentioned you in a note",
      navigate: `http://naturestrip.test/dashboard?tab=called&lead=${purchaseId}`,
    },
  ]);
  expect(sam.receivedNotifications()[0]!.body).toMatch(/^Leichhardt 2040 · /);
  expect(pat.receivedNotifications()).toEqual([]);
  const all = JSON.stringify([service.delivered, await outbox()]);
  for (const word of ["4711", "quote this", "Gate"]) expect(all).not.toContain(word);
  expect(tracesIn(all)).toEqual([]);
});

test("an owner also gets alerts about mentions, and no user gets one about their own mention", async () => {
  const { sam, pat, write } = await business();
  await write("@Pat done, @Sam has the key", sam.as);
  await deliverSettled();
  expect(pat.receivedNotifications()).toMatchObject([{ title: "Sam mentioned you in a note" }]);
  expect(sam.receivedNotifications()).toEqual([]);
});

test("another edit, or the same mention within ten minutes, sends nothing; a later mention does", async () => {
  const { sam, write } = await business();
  await write("@Sam ring them");
  await write("@Sam ring them, mornings");
  await deliverSettled();
  await write("Done: @sam lee ring them, mornings");
  await write("Done: @Sam ring them, mornings. @Sam and invoice");
  await deliverSettled();
  expect(sam.receivedNotifications()).toHaveLength(1);
  await db.update(messages).set({ triedAt: Date.now() - 10 * MINUTE_MS });
  await write("@Sam ring them. @Sam and invoice. @Sam well done");
  await deliverSettled();
  expect(sam.receivedNotifications()).toHaveLength(2);
});

test("a repeated or refused save sends nothing", async () => {
  const { sam, pat, purchaseId } = await business();
  const path = `/api/lead-purchases/${purchaseId}/sales-stage`;
  const change = { changeKey: crypto.randomUUID(), salesNotes: "@Sam ring them" };
  expect((await pat.as("PATCH", path, change)).status).toBe(200);
  await deliverSettled();
  expect(sam.receivedNotifications()).toHaveLength(1);
  await db.delete(messages);
  expect((await pat.as("PATCH", path, { salesNotes: "Nobody" })).status).toBe(200);
  expect((await pat.as("PATCH", path, change)).status).toBe(200);
  const late = await pat.as("PATCH", path, { salesNotes: "@Sam @Sam @Sam", notesVersion: 0 });
  expect(late.status).toBe(409);
  const under = await pat.as("PATCH", path, { salesNotes: "@Sam @Sam @Sam", madeBy: sam.user.id });
  expect(under.status).toBe(401);
  expect(await outbox()).toEqual([]);
});

test("a mention removed before its alert is due sends none, and sends one when it is added again", async () => {
  const { sam, write } = await business();
  await write("@Sam");
  await write("@Samantha from next door");
  await deliverSettled();
  expect(await messagesFor(sam.deviceId)).toMatchObject([{ state: "dropped" }]);
  await write("@Sam!");
  await deliverSettled();
  expect(sam.receivedNotifications()).toHaveLength(1);
});

test("members of another business and removed or locked-out members get nothing", async () => {
  const { pat, write } = await business({ firstName: "Terry" });
  const stranger = await business({ firstName: "Kim" });
  const gone = await withPhone(await insertTeamMember(db, pat.user, { firstName: "Jo" }));
  await pat.as("DELETE", `/api/team-members/${gone.user.id}`);
  const locked = await withPhone(await insertTeamMember(db, pat.user, { firstName: "Max" }));
  await setUser(locked.user.id, { isActive: false });
  await write("@Kim @Jo @Max");
  await deliverSettled();
  for (const one of [stranger.sam, gone, locked]) expect(one.receivedNotifications()).toEqual([]);
  expect(await outbox()).toEqual([]);
});

test("a member who is removed or signed out before the alert is due gets none; a removed member's devices are deleted", async () => {
  const { pat, sam, write } = await business();
  const kim = await withPhone(await insertTeamMember(db, pat.user, { firstName: "Kim" }));
  const jo = await withPhone(await insertTeamMember(db, pat.user, { firstName: "Jo" }));
  const alerts = { sales: true, mentions: true };
  expect((await pat.as("PUT", `/api/team-members/${sam.user.id}/alerts`, alerts)).status).toBe(200);
  await write("@Sam @Kim @Jo");
  await pat.as("DELETE", `/api/team-members/${sam.user.id}`);
  for (const table of [messages, pushDevices, alertSettings])
    expect(await db.$count(table, eq(table.userId, sam.user.id))).toBe(0);
  await db.delete(sessions).where(eq(sessions.userId, kim.user.id));
  // No user can move to another business, but the send step checks it anyway.
  await setUser(jo.user.id, { teamOwnerId: (await insertUser(db)).id });
  await deliverSettled();
  for (const one of [sam, kim, jo]) expect(one.receivedNotifications()).toEqual([]);
});

test("an archived, removed or erased purchase sends nothing", async () => {
  const [archived, removed, erased] = [await business(), await business(), await business()];
  for (const { write } of [archived, removed, erased]) await write("@Sam");
  await archived.pat.as("POST", `/api/lead-purchases/${archived.purchaseId}/archive`);
  await removed.pat.as("DELETE", `/api/lead-purchases/${removed.purchaseId}`);
  await db.run("UPDATE leads SET erased_at = 1 WHERE id IN (SELECT lead_id FROM lead_purchases)");
  onTestFinished(async () => void (await db.run("UPDATE leads SET erased_at = NULL")));
  await deliverSettled();
  for (const { sam } of [archived, removed, erased]) expect(sam.receivedNotifications()).toEqual([]);
});

/** Eleven in the evening in Sydney. */
const NIGHT = Date.parse("2026-11-22T12:00:00Z");

function at(now: number): void {
  vi.useFakeTimers({ now, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Returns a user who was mentioned an hour ago, in quiet hours. */
async function mentionedAtNight() {
  at(NIGHT);
  const { sam, write } = await business();
  const hours = { isOn: true, startsAt: "20:00", endsAt: "07:00" };
  await sam.as("PUT", "/api/notifications/quiet-hours", hours);
  await write("@Sam");
  vi.setSystemTime(NIGHT + HOUR_MS);
  return { sam, write, hours };
}

test("in quiet hours, repeated mentions wait as one alert until quiet hours end, and expire twelve hours later", async () => {
  const { sam, write } = await mentionedAtNight();
  await write("@Sam @Sam");
  const end = Date.parse("2026-11-22T20:00:00Z");
  expect(await messagesFor(sam.deviceId)).toMatchObject([{ due: end, expiresAt: end + 12 * HOUR_MS }]);
  vi.setSystemTime(end - 1);
  await deliverAll();
  expect(sam.receivedNotifications()).toEqual([]);
  vi.setSystemTime(end);
  await deliverAll();
  expect(sam.receivedNotifications()).toHaveLength(1);
});

test("a waiting mention is sent at once when its recipient turns quiet hours off", async () => {
  const { sam, hours } = await mentionedAtNight();
  const { cookie } = sam.as;
  await callWith(PUSH_SETTINGS, "PUT", "/api/notifications/quiet-hours", {
    cookie,
    body: { ...hours, isOn: false },
  });
  expect(sam.receivedNotifications()).toHaveLength(1);
});

test("a waiting mention is still sent when its recipient moves the end of quiet hours half a day later", async () => {
  const { sam, hours } = await mentionedAtNight();
  await sam.as("PUT", "/api/notifications/quiet-hours", { ...hours, endsAt: "19:30" });
  const end = Date.parse("2026-11-23T08:30:00Z");
  expect(await messagesFor(sam.deviceId)).toMatchObject([{ due: end, expiresAt: end + 12 * HOUR_MS }]);
  vi.setSystemTime(end);
  await deliverAll();
  expect(sam.receivedNotifications()).toHaveLength(1);
});

test("an owner switches a member's mentions off and on; waiting ones are deleted, and the member cannot switch them", async () => {
  const { pat, sam, write } = await business();
  const path = `/api/team-members/${sam.user.id}/alerts`;
  await write("@Sam");
  expect((await pat.as("PUT", path, { sales: false, mentions: false })).status).toBe(200);
  expect(await outbox()).toEqual([]);
  await write("@Sam @Sam");
  expect(await outbox()).toEqual([]);
  const team = await (await pat.as("GET", "/api/team-members")).json();
  expect(team).toMatchObject([{ alerts: { sales: false, mentions: false } }]);
  const settings = await callWith(PUSH_SETTINGS, "GET", "/api/notifications", { cookie: sam.as.cookie });
  expect(await settings.json()).toMatchObject({ given: { sales: false, mentions: false } });
  expect((await sam.as("PUT", path, { sales: true, mentions: true })).status).toBe(403);
  const stranger = await callerFor((await insertUser(db)).id);
  expect((await stranger("PUT", path, { sales: true, mentions: true })).status).toBe(404);
  expect((await pat.as("PUT", path, { sales: false, mentions: true })).status).toBe(200);
  await write("@Sam @Sam @Sam");
  // Switch off without the route, to test the send step's own check.
  await db.update(alertSettings).set({ team: { sales: false, mentions: false } });
  await deliverSettled();
  expect(sam.receivedNotifications()).toEqual([]);
});

test("all users of a business see each other's names and nothing else", async () => {
  const { pat, sam } = await business();
  await insertTeamMember(db, pat.user, { firstName: "Gone", isActive: false });
  const names = await (await sam.as("GET", "/api/team-members/names")).json();
  expect(names).toEqual([
    { id: pat.user.id, firstName: "Pat", lastName: "Green", isYou: false },
    { id: sam.user.id, firstName: "Sam", lastName: "Lee", isYou: true },
  ]);
});

/** A provider with a card and two team members. One member gets sale alerts. */
async function createSalesTeam() {
  const pat = await buyer({ watchedRegions: ["blacktown"] });
  const sam = await withPhone(await insertTeamMember(db, pat.user, { firstName: "Sam" }));
  const other = await withPhone(await insertTeamMember(db, pat.user, { firstName: "Kim" }));
  const alerts = { sales: true, mentions: true };
  expect((await pat.as("PUT", `/api/team-members/${sam.user.id}/alerts`, alerts)).status).toBe(200);
  return { pat, sam, other };
}

async function insertLead(): Promise<string> {
  const lead = await insertPendingLead(db, ERASED_CUSTOMER);
  await putOnMarket(lead, pushEnv);
  return lead.id;
}

const BUY = () => bodyFor("POST /api/leads/:id/purchase");

test("a bought lead sends one alert, with a link, to the members whom the owner chose", async () => {
  const { pat, sam, other } = await createSalesTeam();
  const rival = await createSalesTeam();
  const leadId = await insertLead();
  for (const _ of [1, 2]) await pat.as("POST", `/api/leads/${leadId}/purchase`, BUY());
  await deliverAll();
  await deliverAll();
  expect(sam.receivedNotifications()).toMatchObject([
    {
      title: "Your team got a lead in Leichhardt 2040",
      body: expect.stringMatching(/ · The name and number are in your pipeline\.$/),
      navigate: expect.stringMatching(/^http:\/\/naturestrip\.test\/dashboard\?tab=leads&lead=pur_/),
    },
  ]);
  for (const one of [other, rival.sam]) expect(one.receivedNotifications()).toEqual([]);
  expect(tracesIn(JSON.stringify([service.delivered, await messagesFor(sam.deviceId)]))).toEqual([]);
});

test("an assigned lead sends an alert too; the owner's manual lead does not", async () => {
  const { pat, sam } = await createSalesTeam();
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const given = await admin("POST", `/api/super-admin/assign-lead/${await listedLead()}/${pat.user.id}`);
  expect(given.status).toBe(201);
  const manual = bodyFor("POST /api/leads/manual");
  expect((await pat.as("POST", "/api/leads/manual", manual)).status).toBe(201);
  await deliverAll();
  expect(sam.receivedNotifications()).toHaveLength(1);
});

test("the alert about a sale in quiet hours is sent if they end within two hours, and never later", async () => {
  at(NIGHT);
  const { pat, sam } = await createSalesTeam();
  for (const [endsAt, expected] of [
    ["00:30", 1],
    ["07:00", 1],
  ] as const) {
    await sam.as("PUT", "/api/notifications/quiet-hours", { isOn: true, startsAt: "20:00", endsAt });
    vi.setSystemTime(NIGHT);
    await pat.as("POST", `/api/leads/${await listedLead()}/purchase`, BUY());
    await deliverAll();
    const before = sam.receivedNotifications().length;
    vi.setSystemTime(NIGHT + 90 * MINUTE_MS);
    await deliverAll();
    vi.setSystemTime(NIGHT + 9 * HOUR_MS);
    await deliverAll();
    expect([before, sam.receivedNotifications().length], endsAt).toEqual([
      endsAt === "00:30" ? 0 : 1,
      expected,
    ]);
  }
});

test("members get no market alerts, even for regions that they watch", async () => {
  const owner = await newRecipient(service);
  const sam = await withPhone(await insertTeamMember(db, owner.user));
  const row = await userRow(sam.user.id);
  expect(row.watchedRegions).toEqual(owner.user.watchedRegions);
  await listedLead();
  await deliverAll();
  expect(service.deliveredTo(owner.subscription)).toHaveLength(1);
  expect(sam.receivedNotifications()).toEqual([]);
  expect(await messagesFor(sam.deviceId)).toEqual([]);
  // Even if such a message exists, it is not sent.
  await db
    .update(messages)
    .set({ recipient: sam.deviceId, state: "waiting", due: 1, expiresAt: Date.now() * 2 });
  await deliverAll();
  expect(sam.receivedNotifications()).toEqual([]);
});

test("a member sends a test to their device and turns it off, and no other user can", async () => {
  const { pat, sam } = await business();
  const test = `/api/notifications/devices/${sam.deviceId}/test`;
  const send = (cookie: string) => callWith(PUSH_SETTINGS, "POST", test, { cookie });
  expect((await send(pat.as.cookie)).status).toBe(404);
  expect((await send(sam.as.cookie)).status).toBe(202);
  await deliverAll();
  expect(sam.receivedNotifications()).toMatchObject([{ title: "Notifications are working" }]);
  expect(sam.receivedNotifications()[0]!.body).not.toMatch(/new lead/i);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const cookie = await startImpersonation(admin.cookie, sam.user.id);
  const off = await call("DELETE", `/api/notifications/devices/${sam.deviceId}`, { cookie });
  expect(await off.json()).toMatchObject({ code: "impersonating" });
  expect((await sam.as("DELETE", `/api/notifications/devices/${sam.deviceId}`)).status).toBe(204);
});

test("erasing a request or a member deletes their waiting messages", async () => {
  const { pat, sam } = await createSalesTeam();
  const leadId = await insertLead();
  await pat.as("POST", `/api/leads/${leadId}/purchase`, BUY());
  expect(await messagesFor(sam.deviceId)).toHaveLength(1);
  await erase({ email: ERASED_EMAIL }, Date.now(), pushEnv);
  expect(await messagesFor(sam.deviceId)).toEqual([]);
  await erase({ username: sam.user.username }, Date.now(), pushEnv);
  for (const table of [pushDevices, alertSettings])
    expect(await db.$count(table, eq(table.userId, sam.user.id))).toBe(0);
});
