/** Daily limits of emails and texts, and alerts about messages that are not sent. */
import { beforeEach, expect, test, vi } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { Health } from "../../contract/health.ts";
import { callWith, db, testEnv } from "../../testing/client.ts";
import { problems } from "../../testing/facts.ts";
import { deliverMessages, putOnMarket, runSweep } from "../../testing/drivers.ts";
import { PUSH_SETTINGS } from "../../testing/push.ts";
import { SMS_SETTINGS } from "../../testing/sms.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { insertPendingLead, insertUser } from "../../testing/world.ts";
import { attention, messageChannels, messages } from "../tables.ts";
import type { Bindings } from "../platform/env.ts";
import type { LimitedChannel } from "../outbox/rules.ts";

await insertUser(db, { isSuperAdmin: true, email: "alex@example.com" });
const box = mailbox();
const ALL = { ...box.changed, ...PUSH_SETTINGS, ...SMS_SETTINGS } satisfies Partial<Bindings>;
const env = { ...testEnv, ...ALL } as Bindings;

/** Texts may be sent only by day. */
const NOON = Date.parse("2026-11-25T12:00:00+11:00");

beforeEach(async () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  await db.delete(messages);
  await db.delete(messageChannels);
  await db.delete(attention);
  box.sent.length = 0;
});

const limit = (channel: LimitedChannel, mostADay: number) =>
  db.insert(messageChannels).values({ channel, isOn: true, mostADay });

let written = 0;

async function write(count: number, how: Partial<typeof messages.$inferInsert>): Promise<void> {
  const now = Date.now();
  for (let i = 0; i < count; i++)
    await db.insert(messages).values({
      id: `msg_limit${++written}`,
      dedupeKey: `limit:${written}`,
      channel: "sms",
      template: "request_taken",
      leadId: "lead_inner-west_00000000000000000000",
      payload: {},
      due: now - HOUR_MS,
      expiresAt: now + HOUR_MS,
      createdAt: now,
      ...how,
    });
}

const sent = (count: number, how: Partial<typeof messages.$inferInsert> = {}) =>
  write(count, { state: "sent", attempts: 1, triedAt: Date.now(), ...how });

async function health(changed: Partial<Bindings> = ALL) {
  const response = await callWith(changed, "GET", "/api/health");
  return { status: response.status, ...((await response.json()) as Health).messages };
}

const raised = () => problems();
const states = async () => (await db.select().from(messages)).map(({ state }) => state).toSorted();

/** An email about a visitor's request, which the sender drops because the lead does not exist. */
const visitorEmail = { channel: "email", template: "request_taken" } as const;
const accountEmail = { channel: "email", template: "password_link", leadId: null } as const;

test("texts above the day's limit wait until tomorrow, health stays ok, and admins get one alert a day", async () => {
  await limit("sms", 3);
  await sent(2);
  await sent(9, { triedAt: Date.now() - DAY_MS });
  await write(14, {});
  await deliverMessages(Date.now(), env);
  // The one that may still be tried today is dropped, because its lead does not exist.
  expect(await states()).toEqual(["dropped", ...Array(11).fill("sent"), ...Array(13).fill("waiting")]);
  await sent(1);
  expect(await health()).toEqual({ status: 200, ok: true, oldestMs: 0 });
  await runSweep("message_sweep", Date.now(), env);
  const detail = "Texts: today's limit of 3 has been reached. The rest are waiting until tomorrow";
  expect(await raised()).toMatchObject([{ kind: "message_limit", resolvedAt: null, detail }]);
  await runSweep("attention_sweep", Date.now(), env);
  expect(box.sent.map(({ text }) => text).join()).toContain("today's limit of 3 has been reached");
  await db.update(attention).set({ resolvedAt: Date.now() });
  await runSweep("message_sweep", Date.now() + MINUTE_MS, env);
  expect((await raised())[0]!.resolvedAt, "the admin who resolved it knows").not.toBeNull();
});

test("the alert about a daily limit closes itself when an admin raises the limit", async () => {
  await limit("sms", 0);
  await write(1, {});
  await runSweep("message_sweep", Date.now(), env);
  const detail = "Texts: the daily limit is 0. They wait until you raise it";
  expect(await raised()).toMatchObject([{ resolvedAt: null, detail }]);
  await db.update(messageChannels).set({ mostADay: 10 });
  await runSweep("message_sweep", Date.now(), env);
  expect(await raised()).toMatchObject([{ resolvedAt: expect.any(Number) }]);
});

test("the email limit delays only emails that visitors trigger", async () => {
  await limit("email", 1);
  await sent(1, visitorEmail);
  await write(2, visitorEmail);
  await write(1, accountEmail);
  await deliverMessages(Date.now(), env);
  expect(
    (await db.select().from(messages)).flatMap(({ state, template }) =>
      state === "waiting" ? template : [],
    ),
  ).toEqual(["request_taken", "request_taken"]);
  await db.update(messageChannels).set({ mostADay: null });
  await deliverMessages(Date.now(), env);
  expect(await states()).not.toContain("waiting");
});

test("account emails do not use up the day's limit of emails", async () => {
  await limit("email", 1);
  await sent(1, { ...accountEmail, triedAt: Date.now() - HOUR_MS / 2 });
  await write(1, visitorEmail);
  await runSweep("message_sweep", Date.now(), env);
  expect(await states()).not.toContain("waiting");
  expect(await raised()).toEqual([]);
});

test("a message that may be sent and has been due for ten minutes fails the health check", async () => {
  await write(1, { ...visitorEmail, due: Date.now() - 9 * MINUTE_MS });
  expect(await health()).toMatchObject({ status: 200, ok: true });
  await write(1, { ...visitorEmail, due: Date.now() - 11 * MINUTE_MS });
  const late = await health();
  expect(late).toMatchObject({ status: 503, ok: false });
  expect(late.oldestMs).toBeGreaterThan(10 * MINUTE_MS);
  expect(await health({}), "not set up").toMatchObject({ status: 200, oldestMs: 0 });
  await db.insert(messageChannels).values({ channel: "email", isOn: false });
  expect(await health(), "switched off").toMatchObject({ status: 200, oldestMs: 0 });
});

test("an email that fails three times raises one alert, which closes itself when emails are sent again", async () => {
  await putOnMarket(await insertPendingLead(db), env);
  const broken = { ...env, ...mailbox({ isFailing: true }).changed } as Bindings;
  const start = Date.now();
  const sweep = (settings: Bindings, minute: number) =>
    runSweep("message_sweep", start + minute * MINUTE_MS, settings);
  await sweep(broken, 0);
  await sweep(broken, 2);
  expect(await raised()).toEqual([]);
  for (const minute of [4, 6]) await sweep(broken, minute);
  expect(await raised()).toMatchObject([{ kind: "messages_stuck", subjectId: "email", resolvedAt: null }]);
  for (const minute of [12, 13]) await sweep(env, minute);
  expect(await raised()).toMatchObject([{ resolvedAt: expect.any(Number) }]);
});
