/** The health check and the admin list report messages that are not sent. */
import { contextOf } from "../platform/context.ts";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { MINUTE_MS } from "../../contract/durations.ts";
import type { Health } from "../../contract/health.ts";
import { callWith, db, testEnv, testContext } from "../../testing/client.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { insertPendingLead } from "../../testing/world.ts";
import { attention, messageChannels, messages } from "../platform/db/schema.ts";
import type { Bindings } from "../platform/env.ts";
import { putOnMarket } from "../leads/commands.ts";
import { deliver } from "./deliver-commands.ts";
import { watchMessages } from "./watch-commands.ts";

const working = mailbox().changed;

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(messageChannels);
  await db.delete(attention);
});

async function health(changed: Partial<Bindings> = working) {
  const response = await callWith(changed, "GET", "/api/health");
  return { status: response.status, ...((await response.json()) as Health) };
}

const raised = () => db.select().from(attention).where(eq(attention.kind, "messages_stuck"));
const watch = () => watchMessages(contextOf({ ...testEnv, ...working }), Date.now());

async function waitFor(minutes: number) {
  await putOnMarket(testContext, await insertPendingLead(db));
  await db.update(messages).set({ due: Date.now() - minutes * MINUTE_MS });
}

test("an email that is due for ten minutes fails the health check and raises one alert", async () => {
  await waitFor(9);
  expect(await health()).toMatchObject({ status: 200, messages: { ok: true } });
  expect(await watch()).toEqual({ failed: 0 });
  await waitFor(11);
  const { status, messages: seen } = await health();
  expect([status, seen.ok, seen.failing]).toEqual([503, false, 0]);
  expect(seen.oldestMs).toBeGreaterThan(10 * MINUTE_MS);
  await watch();
  await watch();
  expect(await raised()).toMatchObject([
    { subjectId: "email", detail: expect.stringContaining("11 minutes ago") },
  ]);
});

test("an alert about a stuck channel closes itself when the channel works again, or is switched off", async () => {
  await waitFor(11);
  await watch();
  expect(await raised()).toMatchObject([{ resolvedAt: null }]);
  await db.update(messages).set({ due: Date.now() });
  await watch();
  expect(await raised()).toMatchObject([{ resolvedAt: expect.any(Number) }]);
  await db.update(messages).set({ due: Date.now() - 11 * MINUTE_MS });
  await watch();
  expect(await raised(), "it is stuck again").toMatchObject([{ resolvedAt: null }]);
  await db.insert(messageChannels).values({ channel: "email", isOn: false, mostADay: 1_000 });
  await watch();
  expect(await raised()).toMatchObject([{ resolvedAt: expect.any(Number) }]);
});

test("messages on a channel that is off or not configured do not count as stuck", async () => {
  await waitFor(60);
  expect(await health({})).toMatchObject({ status: 200, messages: { ok: true, oldestMs: 0, failing: 0 } });
  await db.insert(messageChannels).values({ channel: "email", isOn: false, mostADay: 1_000 });
  expect(await health()).toMatchObject({ status: 200, messages: { ok: true, oldestMs: 0 } });
  expect(await watch()).toEqual({ failed: 0 });
});

async function write(count: number, how: Partial<typeof messages.$inferInsert>): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: count }, () => ({
    id: `msg_${crypto.randomUUID()}`,
    dedupeKey: crypto.randomUUID(),
    channel: "email" as const,
    template: "request_taken" as const,
    payload: {},
    due: now + MINUTE_MS,
    expiresAt: now + 60 * MINUTE_MS,
    triedAt: now,
    createdAt: now,
    ...how,
  }));
  for (const row of rows) await db.insert(messages).values(row);
}

test("failing messages raise an alert when they are many and more than were sent", async () => {
  await write(1, { state: "sent", attempts: 1 });
  await write(12, { state: "failed", attempts: 1, createdAt: Date.now() - 13 * 60 * MINUTE_MS });
  await write(8, { state: "waiting", attempts: 3 });
  expect(await health()).toMatchObject({ status: 200, messages: { ok: true, failing: 20 } });
  await write(1, { state: "waiting", attempts: 4 });
  expect(await health()).toMatchObject({ status: 503, messages: { ok: false, failing: 21 } });
  await watch();
  expect(await raised()).toMatchObject([{ detail: "Emails are failing: 21 failed recently, 1 sent" }]);
  await write(20, { state: "sent", attempts: 1 });
  expect(await health()).toMatchObject({ status: 200, messages: { ok: true, failing: 21 } });
});

test("a service that accepts nothing raises an alert after a few tries, even with few messages", async () => {
  for (let i = 0; i < 3; i++)
    await putOnMarket(testContext, await insertPendingLead(db, { customerEmail: `visitor${i}@example.com` }));
  const broken = { ...testEnv, ...mailbox({ isFailing: true }).changed };
  const start = Date.now();
  for (let minute = 0; minute < 4; minute++)
    await deliver(contextOf(broken), null, start + minute * 1.5 * MINUTE_MS);
  expect(await health()).toMatchObject({ status: 503, messages: { ok: false, failing: 3 } });
});
