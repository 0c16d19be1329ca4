/** A recipient opts out of emails about requests with one click. Account emails still arrive. */
import { createHmac } from "node:crypto";

import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { MINUTE_MS } from "../../contract/durations.ts";
import { buyer } from "../../testing/cards.ts";
import { bodyFor } from "../../testing/routes/api.ts";
import { call, callWith, db, testEnv } from "../../testing/client.ts";
import { deliverMessages, erase, listed } from "../../testing/drivers.ts";
import { ERASED_CUSTOMER, ERASED_EMAIL } from "../../testing/erased-customer.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { insertUser } from "../../testing/world.ts";
import { messages, messageStops } from "../tables.ts";
import type { Bindings } from "../platform/env.ts";
import { addressHash, signStop } from "./stop-rules.ts";

const SITE_HOST = "naturestrip.test";
const KEY = "a long random text for tests";
const SIGNED = { ORIGIN_HASH_KEY: KEY };
const PATH = "/api/email-stops";

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(messageStops);
});

type Box = ReturnType<typeof mailbox>;
const sendAll = (box: Box, changed: Partial<Bindings> = {}, now = Date.now()) =>
  deliverMessages(now, { ...testEnv, ...box.changed, SITE_HOST, ...SIGNED, ...changed });

const signed = (key: string, text: string) => createHmac("sha256", key).update(text).digest("base64url");

const pressUnsubscribe = (token: string, isStopped = true) =>
  callWith(SIGNED, "POST", PATH, { body: { token, isStopped } });
const isStopped = async (token: string) => {
  const response = await callWith(SIGNED, "GET", `${PATH}?token=${encodeURIComponent(token)}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { isStopped: boolean }).isStopped;
};

/** Returns the whole response to a click, except its request id. */
async function answerTo(token: string) {
  const response = await pressUnsubscribe(token);
  const responseHeaders = [...response.headers].filter(([name]) => name !== "x-request-id");
  return [response.status, responseHeaders, await response.json()];
}

test("each email about a request has an unsubscribe link in its body and headers", async () => {
  const box = mailbox();
  const lead = await listed(ERASED_CUSTOMER);
  await sendAll(box);
  const body = bodyFor("POST /api/leads/:id/purchase");
  expect((await (await buyer()).as("POST", `/api/leads/${lead.id}/purchase`, body)).status).toBe(201);
  await sendAll(box);
  expect(box.sent).toHaveLength(2);
  const link = `https://${SITE_HOST}/stop-emails/${signStop(KEY, ERASED_EMAIL)}`;
  for (const { text, html, headers } of box.sent) {
    expect(text.endsWith(`Don't want these emails? Stop them here: ${link}`)).toBe(true);
    expect(html).toContain(`<a href="${link}">Stop them</a>`);
    expect(headers).toEqual({
      "List-Unsubscribe": `<${link}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    expect(link).not.toContain(ERASED_EMAIL.split("@")[0]);
  }
});

test("emails about an account have no unsubscribe link", async () => {
  const box = mailbox();
  const user = await insertUser(db, { email: "no-link@example.com" });
  const changed = { ...box.changed, SITE_HOST: "", ...SIGNED };
  await callWith(changed, "POST", "/api/auth/forgot-password", { body: { username: user.username } });
  expect(box.sent).toHaveLength(1);
  expect(box.sent[0]).not.toHaveProperty("headers");
  expect(box.sent[0]!.text).not.toContain("stop");
});

test.each([
  ["no site host", { SITE_HOST: "" }],
  ["no signing key", { ORIGIN_HASH_KEY: "" }],
])("a deployment with %s asks the recipient to contact us", async (_, changed) => {
  const box = mailbox();
  await listed(ERASED_CUSTOMER);
  await sendAll(box, changed);
  expect(box.sent[0]!.text).toContain("Don't want these emails? Tell us, and we'll stop them.");
  expect(box.sent[0]).not.toHaveProperty("headers");
});

test("an unsubscribed recipient gets no more request emails in any spelling, but still gets account emails", async () => {
  const box = mailbox();
  const user = await insertUser(db, { email: ERASED_EMAIL });
  const token = signStop(KEY, ERASED_EMAIL);
  expect(await isStopped(token), "looking stops nothing").toBe(false);
  await listed(ERASED_CUSTOMER);
  expect((await pressUnsubscribe(token)).status).toBe(200);
  expect(await isStopped(token)).toBe(true);
  await listed({
    ...ERASED_CUSTOMER,
    customerEmail: ERASED_EMAIL.toUpperCase(),
    customerAddress: "9 Norton Street",
  });
  expect(await sendAll(box)).toMatchObject({ dropped: 2 });
  expect(box.sent).toEqual([]);
  await callWith(box.changed, "POST", "/api/auth/forgot-password", { body: { username: user.username } });
  expect(box.sent).toMatchObject([{ to: ERASED_EMAIL, subject: "Choose a new password for Naturestrip" }]);
});

test("a recipient who unsubscribes twice and then subscribes again gets emails again", async () => {
  const box = mailbox();
  const token = signStop(KEY, ERASED_EMAIL);
  await pressUnsubscribe(token);
  await pressUnsubscribe(token);
  expect(await db.$count(messageStops)).toBe(1);
  expect((await pressUnsubscribe(token, false)).status).toBe(200);
  expect(await isStopped(token)).toBe(false);
  await listed(ERASED_CUSTOMER);
  await sendAll(box);
  expect(box.sent).toHaveLength(1);
});

test("an invalid link gets the same response as a valid one, and changes nothing", async () => {
  const right = signStop(KEY, ERASED_EMAIL);
  const [hash, mac] = right.split(".") as [string, string];
  const responseHeaders = await answerTo(right);
  await db.delete(messageStops);
  const wrong = [
    "",
    "made-up",
    hash,
    `${hash}.`,
    right.slice(0, -1),
    `${right}A`,
    ` ${right}`,
    `${right}\n`,
    `${hash}.${mac.toUpperCase()}`,
    `${addressHash("somebody.else@example.com")}.${mac}`,
    signStop("another key", ERASED_EMAIL),
    // Signed with the right key but no prefix, and with the prefix instead of the key.
    `${hash}.${signed(KEY, hash)}`,
    `${hash}.${signed("stop-emails", hash)}`,
    "'; DELETE FROM message_stops; --",
    "é".repeat(43) + "." + "\u0000".repeat(43),
  ];
  for (const token of wrong) {
    expect(await answerTo(token), token).toEqual(responseHeaders);
    expect(await isStopped(token), token).toBe(false);
  }
  expect(await db.$count(messageStops)).toBe(0);
  // Without a key no token is valid.
  const body = { token: right, isStopped: true };
  expect((await call("POST", PATH, { body })).status).toBe(200);
  expect(await db.$count(messageStops)).toBe(0);
});

test("the opt-out survives an erasure, without the address", async () => {
  await listed(ERASED_CUSTOMER);
  await pressUnsubscribe(signStop(KEY, ERASED_EMAIL));
  await erase({ email: ERASED_EMAIL });
  const kept = await db.select().from(messageStops);
  expect(kept).toMatchObject([{ recipientHash: addressHash(ERASED_EMAIL) }]);
  expect(JSON.stringify(kept)).not.toContain("@");
  const box = mailbox();
  await listed({ ...ERASED_CUSTOMER, customerAddress: "11 Norton Street" });
  await sendAll(box, {}, Date.now() + MINUTE_MS);
  expect(box.sent).toEqual([]);
  expect(await db.select().from(messages).where(eq(messages.state, "waiting"))).toEqual([]);
});
