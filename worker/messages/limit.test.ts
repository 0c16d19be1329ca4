/** A used-up daily limit is the operator's own setting. It is reported, but not as a fault. */
import { contextOf } from "../platform/context.ts";
import { beforeEach, expect, test } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { Health } from "../../contract/health.ts";
import type { AdminChannel, MessagesOverview } from "../../contract/messages.ts";
import { insertAdmin } from "../../testing/admins.ts";
import { callWith, db, testEnv } from "../../testing/client.ts";
import { PUSH_SETTINGS } from "../../testing/push.ts";
import { SMS_SETTINGS } from "../../testing/sms.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { insertUser } from "../../testing/world.ts";
import { sweepAttention } from "../operations/attention/report-commands.ts";
import { attention, messageChannels, messages } from "../platform/db/schema.ts";
import type { Bindings } from "../platform/env.ts";
import { watchMessages } from "./watch-commands.ts";

const { asAdmin } = await insertAdmin();
await insertUser(db, { isSuperAdmin: true, email: "alex@example.com" });
const box = mailbox();
const ALL = { ...box.changed, ...PUSH_SETTINGS, ...SMS_SETTINGS } satisfies Partial<Bindings>;
const env = { ...testEnv, ...ALL } as Bindings;

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(messageChannels);
  await db.delete(attention);
  box.sent.length = 0;
});

const limit = (channel: AdminChannel, mostADay: number) =>
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

const sent = (count: number, agoMs: number, how: Partial<typeof messages.$inferInsert> = {}) =>
  write(count, { state: "sent", attempts: 1, triedAt: Date.now() - agoMs, ...how });

async function health() {
  const response = await callWith(ALL, "GET", "/api/health");
  return { status: response.status, ...((await response.json()) as Health).messages };
}

const watch = (now = Date.now()) => watchMessages(contextOf(env), now);
const raised = () => db.select().from(attention);

test("texts that wait for the next day's limit do not fail the health check, and admins get one alert", async () => {
  await limit("sms", 3);
  await sent(1, 20 * HOUR_MS);
  await sent(2, HOUR_MS);
  await write(14, {});
  expect(await health()).toEqual({ status: 200, ok: true, oldestMs: 0, failing: 0, limitReached: ["sms"] });
  expect(await watch()).toMatchObject({ failed: 0 });
  await watch(Date.now() + MINUTE_MS);
  const [item, ...others] = await raised();
  expect(others).toEqual([]);
  expect(item).toMatchObject({
    kind: "message_limit",
    subjectId: "sms",
    detail: expect.stringMatching(
      /^Texts: today's limit of 3 has been reached\. 14 are waiting\. The next will be sent on \d{1,2} \w+ at \d{1,2}:\d\d [ap]m$/,
    ),
  });
  await sweepAttention(contextOf(env), Date.now());
  expect(box.sent).toHaveLength(1);
  expect(box.sent[0]!.text).toContain("today's limit of 3 has been reached");
  await asAdmin("POST", "/api/super-admin/attention/resolve", { kind: "message_limit", subjectId: "sms" });
  await watch(Date.now() + HOUR_MS / 2);
  await sweepAttention(contextOf(env), Date.now());
  expect(box.sent, "the admin who resolved it knows").toHaveLength(1);
});

test("a limit that is used up again a day later raises a new alert", async () => {
  await limit("sms", 0);
  await write(1, {});
  await watch();
  expect(await raised()).toMatchObject([
    { detail: "Texts: the daily limit is 0. 1 is waiting until you raise it", toldAt: null },
  ]);
  await db.update(attention).set({ toldAt: 5, resolvedAt: 6 });
  await watch(Date.now() + DAY_MS - MINUTE_MS);
  expect(await raised()).toMatchObject([{ toldAt: 5, resolvedAt: 6 }]);
  await watch(Date.now() + DAY_MS + MINUTE_MS);
  expect(await raised()).toMatchObject([{ toldAt: null, resolvedAt: null }]);
});

test("the alert about a used-up limit closes itself when an admin raises the limit", async () => {
  await limit("sms", 0);
  await write(1, {});
  await watch();
  expect(await raised()).toMatchObject([{ resolvedAt: null }]);
  await db.update(messageChannels).set({ mostADay: 10 });
  await watch();
  expect((await raised()).find(({ kind }) => kind === "message_limit")!.resolvedAt).not.toBeNull();
});

test("after the limit ends, waiting messages count as stuck only after ten minutes", async () => {
  await limit("sms", 2);
  await sent(1, HOUR_MS);
  await sent(1, DAY_MS + 9 * MINUTE_MS);
  await write(3, {});
  expect(await health()).toEqual({ status: 200, ok: true, oldestMs: 0, failing: 0, limitReached: [] });
  await db.delete(messages);
  await sent(1, HOUR_MS);
  await sent(1, DAY_MS + 11 * MINUTE_MS);
  await write(3, {});
  expect(await health()).toMatchObject({ status: 503, ok: false, limitReached: [] });
  await watch();
  expect(await raised()).toMatchObject([{ kind: "messages_stuck", subjectId: "sms" }]);
});

test("notifications and their unexpanded notes also wait for the daily limit", async () => {
  await limit("push", 1);
  await sent(1, HOUR_MS, { channel: "push", template: "new_lead" });
  await write(1, { channel: "spread", template: "new_lead", leadId: null });
  await write(1, { channel: "push", template: "new_lead", leadId: null });
  expect(await health()).toMatchObject({ status: 200, oldestMs: 0, limitReached: ["push"] });
});

test("the email limit delays only emails that visitors trigger: a waiting password link still counts as stuck", async () => {
  await limit("email", 1);
  await sent(1, HOUR_MS, { channel: "email" });
  await write(2, { channel: "email" });
  expect(await health()).toMatchObject({ status: 200, oldestMs: 0, limitReached: ["email"] });
  const link = { channel: "email", template: "password_link", leadId: null } as const;
  await write(1, { ...link, due: Date.now() - 11 * MINUTE_MS });
  expect(await health()).toMatchObject({ status: 503, ok: false, limitReached: ["email"] });
  await watch();
  expect((await raised()).map(({ kind }) => kind).toSorted()).toEqual(["message_limit", "messages_stuck"]);
});

async function overview() {
  const response = await asAdmin("GET", "/api/super-admin/messages/channels");
  return ((await response.json()) as MessagesOverview).channels;
}

test("the admins' page shows which channel's limit is used up, and until when", async () => {
  await limit("sms", 2);
  await sent(2, HOUR_MS);
  const [email, push, sms] = await overview();
  expect([email!.limit, push!.limit]).toEqual([null, null]);
  // Texts also wait until morning.
  expect(sms!.limit!.nextAt).toBeGreaterThan(Date.now() + 22 * HOUR_MS);
  await db.update(messageChannels).set({ mostADay: 0 });
  expect((await overview())[2]!.limit).toEqual({ nextAt: null });
  await db.update(messageChannels).set({ mostADay: 3 });
  expect((await overview())[2]!.limit).toBeNull();
});
