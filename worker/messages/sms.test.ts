/** A visitor with a mobile number and no email gets a text with the buyer's name, once texts are on. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";

import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { insertAdmin } from "../../testing/admins.ts";
import { bodyFor } from "../../testing/routes/api.ts";
import { buyer } from "../../testing/cards.ts";
import { callWith, db } from "../../testing/client.ts";
import { setLead } from "../../testing/facts.ts";
import { deliverMessages, listed } from "../../testing/drivers.ts";
import { useSmsStandIn, smsEnv, enableTexts, SMS_SETTINGS } from "../../testing/sms.ts";
import { insertPendingLead } from "../../testing/world.ts";
import { messageChannels, messages, messageStops } from "../tables.ts";
import type { Bindings } from "../platform/env.ts";

const gateway = useSmsStandIn();
const NOON = Date.parse("2026-11-23T12:00:00+11:00");
const NUMBER = "+61491570158";

beforeEach(async () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  await db.delete(messages);
  await db.delete(messageChannels);
  await db.delete(messageStops);
  gateway.sent.length = 0;
  gateway.calls = 0;
});

const rows = () => db.select().from(messages).where(eq(messages.channel, "sms"));
const sendAll = (after = 0, env: Bindings = smsEnv) => deliverMessages(NOON + after, env);

async function taken(request: Parameters<typeof insertPendingLead>[1] = {}) {
  const lead = await listed({ customerPhone: "0491 570 158", customerEmail: "", ...request });
  const { as } = await buyer({ companyName: "Green Thumbs" });
  const body = bodyFor("POST /api/leads/:id/purchase");
  expect((await as("POST", `/api/leads/${lead.id}/purchase`, body)).status).toBe(201);
  return lead;
}

test("a visitor with a mobile number and no email gets one text with the buyer's name", async () => {
  await enableTexts();
  await taken();
  await Promise.all([sendAll(), sendAll()]);
  const [row] = await rows();
  expect(gateway.sent).toEqual([
    {
      to: "61491570158",
      sender: "61491570157",
      custom_ref: row!.id,
      message: expect.stringMatching(
        /^Naturestrip 1800 975 711: Green Thumbs has taken your request for .*, or STOP to opt out$/,
      ),
    },
  ]);
  expect(row).toMatchObject({ template: "request_taken", state: "sent", recipient: NUMBER });
});

test("no text is sent to a visitor with an email or a landline, or before an admin switches texts on", async () => {
  await taken();
  expect(await rows()).toEqual([]);
  await enableTexts();
  await taken({ customerEmail: "visitor@example.com" });
  await taken({ customerPhone: "02 5550 0123" });
  await taken({ customerPhone: "+64 21 123 4567" });
  expect(await rows()).toEqual([]);
  // The lead was bought before texts were on, so no text is sent later.
  await sendAll();
  expect(gateway.calls).toBe(0);
});

test("a number gets at most three texts a day", async () => {
  await enableTexts();
  for (let i = 0; i < 5; i++) await taken({ customerAddress: `${i + 1} Norton Street, Leichhardt NSW 2040` });
  await sendAll();
  expect(gateway.sent).toHaveLength(3);
});

test("a text that is due at night waits until morning", async () => {
  await enableTexts();
  vi.setSystemTime(NOON + 10 * HOUR_MS);
  await taken();
  await sendAll(10 * HOUR_MS);
  expect(gateway.calls).toBe(0);
  expect(await rows()).toMatchObject([{ state: "waiting", due: NOON + 20 * HOUR_MS }]);
  await sendAll(20 * HOUR_MS);
  expect(gateway.sent).toHaveLength(1);
});

test.each(["lost", { status: 500 }] as const)("a text that fails (%j) is retried later", async (fault) => {
  await enableTexts();
  await taken();
  gateway.fail(fault);
  await sendAll();
  await sendAll(5_000);
  expect([gateway.calls, gateway.sent.length]).toEqual([1, 0]);
  await sendAll(MINUTE_MS);
  expect(gateway.sent).toHaveLength(1);
});

test("a gateway that asks us to wait is not called until then; wrong keys delay all texts but lose none", async () => {
  await enableTexts();
  await taken();
  await taken({ customerPhone: "0491 570 159", customerAddress: "8 Norton Street, Leichhardt NSW 2040" });
  gateway.fail({ status: 429, retryAfter: "120" });
  await sendAll();
  // The next text was not tried, so it counts no attempt and does not count towards the daily limit.
  const tries = (await rows()).map(({ attempts, triedAt }) => [attempts, triedAt !== null]);
  expect(tries.toSorted()).toEqual([
    [0, false],
    [1, true],
  ]);
  await sendAll(110_000);
  expect(gateway.calls).toBe(1);
  const wrong = { ...smsEnv, SMS_KEYS: "user123:other" };
  await sendAll(121_000, wrong);
  expect([gateway.calls, gateway.sent.length]).toEqual([2, 0]);
  await sendAll(10 * MINUTE_MS);
  expect(gateway.sent).toHaveLength(2);
});

test("a text with an unknown outcome is tried only four times", async () => {
  await enableTexts();
  await taken();
  gateway.fail("lost", "lost", "lost", "lost");
  for (let hour = 0; hour < 6; hour++) {
    await sendAll(hour * HOUR_MS);
    await sendAll(hour * HOUR_MS + 20 * MINUTE_MS);
  }
  expect(gateway.calls).toBe(4);
  expect(await rows()).toMatchObject([{ state: "failed" }]);
});

test.each([{ status: 400 }, { result: "error" }, "malformed"] as const)(
  "a refused text (%j) is not retried",
  async (fault) => {
    await enableTexts();
    await taken();
    gateway.fail(fault);
    await sendAll();
    await sendAll(HOUR_MS);
    expect(gateway.calls).toBe(1);
    expect(await rows()).toMatchObject([{ state: "failed" }]);
  },
);

const postWebhook = (
  body: unknown,
  secret: string = SMS_SETTINGS.SMS_WEBHOOK_SECRET,
  changed: Partial<Bindings> = SMS_SETTINGS,
) => callWith(changed, "POST", `/api/sms/webhook/${secret}`, { body });

/** A delivery report from the gateway's documentation. */
const report = (ref: string, status: string) => ({
  to: "61491570158",
  sender: "61491570157",
  message: "…",
  custom_ref: ref,
  status,
  message_id: crypto.randomUUID(),
  received_at: "2026-11-23 01:05:00",
});
const reply = (message: string, type = "inbound") => ({
  to: "61491570157",
  sender: "61491570158",
  message,
  received_at: "2026-11-23 01:05:00",
  type,
  original_message_id: "",
  original_custom_ref: "",
});

test("a delivery report sets the state of a sent text, once", async () => {
  await enableTexts();
  await taken();
  const [waiting] = await rows();
  await postWebhook(report(waiting!.id, "failed"));
  expect(await rows()).toMatchObject([{ state: "waiting" }]);
  await sendAll();
  expect((await postWebhook(report(waiting!.id, "sent"))).status).toBe(200);
  expect(await rows()).toMatchObject([{ state: "sent" }]);
  await postWebhook(report(waiting!.id, "delivered"));
  await postWebhook(report(waiting!.id, "failed"));
  expect(await rows()).toMatchObject([{ state: "delivered" }]);
});

test("a report that arrives before or instead of the gateway's response counts", async () => {
  await enableTexts();
  await taken();
  const [text] = await rows();
  gateway.fail("lost");
  await sendAll();
  expect(await rows()).toMatchObject([{ state: "waiting", attempts: 1 }]);
  await postWebhook(report(text!.id, "delivered"));
  await sendAll(MINUTE_MS);
  expect(await rows()).toMatchObject([{ state: "delivered" }]);
  expect(gateway.calls).toBe(1);
});

test("a recipient who replies STOP, or whom the gateway unsubscribed, gets no more texts; one who replies thanks does", async () => {
  await enableTexts();
  await taken();
  expect((await postWebhook(reply("Thanks!"))).status).toBe(200);
  await sendAll();
  expect(gateway.sent).toHaveLength(1);
  await taken({ customerAddress: "8 Norton Street, Leichhardt NSW 2040" });
  await postWebhook(reply("Stop"));
  await postWebhook(reply("", "unsubscribe"));
  await sendAll(MINUTE_MS);
  await taken({ customerAddress: "9 Norton Street, Leichhardt NSW 2040" });
  await sendAll(2 * MINUTE_MS);
  expect(gateway.sent).toHaveLength(1);
  expect((await rows()).map(({ state }) => state).toSorted()).toEqual(["dropped", "dropped", "sent"]);
  expect(JSON.stringify(await db.select().from(messageStops))).not.toContain("491570158");
});

test("the webhook requires its secret, limits the body size, and does not exist without a gateway", async () => {
  await enableTexts();
  await taken();
  await sendAll();
  const [row] = await rows();
  for (const secret of ["x", "w".repeat(39), "w".repeat(41), "W".repeat(40)])
    expect((await postWebhook(report(row!.id, "failed"), secret)).status).toBe(404);
  expect((await postWebhook(reply("STOP"), SMS_SETTINGS.SMS_WEBHOOK_SECRET, {})).status).toBe(404);
  for (const body of ["{", "null", "[]", '"STOP"', { custom_ref: 7, status: "failed" }, { type: "inbound" }])
    expect((await postWebhook(body)).status, JSON.stringify(body)).toBe(400);
  expect((await postWebhook({ ...reply("x"), padding: "x".repeat(70_000) })).status).toBe(413);
  expect(await rows()).toMatchObject([{ state: "sent" }]);
  expect(await db.$count(messageStops)).toBe(0);
});

test("a text to a number that has since been corrected is not sent", async () => {
  await enableTexts();
  const lead = await taken();
  await setLead(lead.id, { phoneKey: "+61491570110" });
  await sendAll();
  expect(gateway.calls).toBe(0);
  expect(await rows()).toMatchObject([{ state: "dropped" }]);
});

test("admins see texts, without numbers", async () => {
  const { list } = await insertAdmin();
  await enableTexts();
  await taken();
  gateway.fail({ status: 400 });
  await sendAll();
  const lines = await list("/api/super-admin/messages");
  expect(lines).toContainEqual(expect.objectContaining({ channel: "sms", to: "…158" }));
  expect(JSON.stringify(lines)).not.toContain("49157015");
});

test.each([
  { SMS_SENDER: "12345678" },
  { SMS_SENDER: "A name too long" },
  { SMS_KEYS: "no-colon" },
  { SMS_WEBHOOK_SECRET: "short" },
  { SMS_GATEWAY: "another" },
])("invalid settings are refused at once: %j", async (wrong) => {
  expect((await callWith({ ...SMS_SETTINGS, ...wrong }, "GET", "/api/health")).status).toBe(500);
});
