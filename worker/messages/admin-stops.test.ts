/** An admin stops messages about requests to an address or number when its owner asks by phone. */
import { desc, gt } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import type { MessageStop } from "../../contract/messages.ts";
import { insertAdmin } from "../../testing/admins.ts";
import { callerFor, callWith, db } from "../../testing/client.ts";
import { listed } from "../../testing/drivers.ts";
import { ERASED_CUSTOMER, ERASED_EMAIL, tracesIn } from "../../testing/erased-customer.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { insertPendingLead, insertUser, newId } from "../../testing/world.ts";
import { auditLog, messages, messageStops } from "../tables.ts";
import { addressHash, numberHash } from "./stop-rules.ts";

const { admin, asAdmin } = await insertAdmin();
const PERSON = "/api/super-admin/messages/person";
const STOPS = "/api/super-admin/messages/stops";
const MOBILE = "0491 570 156";
const NUMBER = "+61491570156";

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(messageStops);
});

async function read(pending: Promise<Response>): Promise<MessageStop> {
  const response = await pending;
  expect(response.status).toBe(200);
  return response.json();
}
const lookUp = (address: string) => read(asAdmin("POST", PERSON, { address }));
const set = (address: string, isStopped: boolean) => read(asAdmin("PUT", STOPS, { address, isStopped }));

/** Returns the audit log entries that an action writes. */
async function logged(act: () => Promise<unknown>) {
  const [last] = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
  await act();
  return db
    .select()
    .from(auditLog)
    .where(gt(auditLog.id, last?.id ?? 0));
}

type Message = typeof messages.$inferInsert;

async function waitingMessage(
  values: Pick<Message, "channel" | "template" | "recipient" | "dedupeKey"> & Partial<Message>,
) {
  const times = { due: 1, expiresAt: Date.now() + 1e6, createdAt: 1 };
  await db.insert(messages).values({ id: newId("msg"), ...times, payload: {}, ...values });
}

const waitingText = (leadId: string) =>
  waitingMessage({ channel: "sms", template: "request_taken", recipient: NUMBER, leadId, dedupeKey: leadId });

test("an admin stops and allows emails about requests to an address, and waiting emails are dropped at once", async () => {
  await listed(ERASED_CUSTOMER);
  const user = await insertUser(db, { email: ERASED_EMAIL });
  const account = { channel: "email", recipient: ERASED_EMAIL, userId: user.id } as const;
  await waitingMessage({ ...account, template: "new_sign_in", dedupeKey: user.id });
  expect(await lookUp(ERASED_EMAIL)).toEqual({ channel: "email", since: null });
  const stopped = await set(` ${ERASED_EMAIL.toUpperCase()}`, true);
  expect(stopped).toEqual({ channel: "email", since: expect.any(Number) });
  const stored = await db.select().from(messages);
  const states = Object.fromEntries(stored.map(({ template, state }) => [template, state]));
  expect(states, "what is about their account goes all the same").toEqual({
    request_received: "dropped",
    new_sign_in: "waiting",
  });
  expect(await db.select().from(messageStops)).toMatchObject([{ recipientHash: addressHash(ERASED_EMAIL) }]);
  expect(await lookUp(ERASED_EMAIL)).toEqual(stopped);
  expect((await set(ERASED_EMAIL, false)).since).toBeNull();
  expect(await db.$count(messageStops)).toBe(0);
});

test("an admin stops and allows texts to a number in any format", async () => {
  const lead = await insertPendingLead(db, { customerPhone: MOBILE, customerEmail: "" });
  await waitingText(lead.id);
  expect(await lookUp("+61 491 570 156")).toEqual({ channel: "sms", since: null });
  expect(await set(MOBILE, true)).toEqual({ channel: "sms", since: expect.any(Number) });
  expect(await db.select().from(messages)).toMatchObject([{ state: "dropped" }]);
  expect(await db.select().from(messageStops)).toMatchObject([{ recipientHash: numberHash(NUMBER) }]);
  expect((await set("(04) 9157-0156", false)).since).toBeNull();
});

test("the audit log records each change once, with a hash instead of the address", async () => {
  const lines = await logged(async () => {
    await lookUp(ERASED_EMAIL);
    await set(ERASED_EMAIL, true);
    await set(ERASED_EMAIL, true);
    await set(ERASED_EMAIL, false);
    await set(ERASED_EMAIL, false);
    await set(MOBILE, true);
  });
  expect(lines).toMatchObject([
    { action: "message.stop", subjectType: "recipient", after: { channel: "email" }, actorUserId: admin.id },
    { action: "message.allow", subjectType: "recipient", after: { channel: "email" } },
    { action: "message.stop", subjectType: "recipient", after: { channel: "sms" } },
  ]);
  const [stop, allow, text] = lines;
  expect(stop!.subjectId, "the lines of one address are found together").toBe(allow!.subjectId);
  expect(stop!.subjectId).not.toBe(text!.subjectId);
  const said = JSON.stringify(lines);
  expect(tracesIn(said)).toEqual([]);
  // Brute force reverses an unkeyed hash of a number, and the audit log is permanent.
  for (const plain of [addressHash(ERASED_EMAIL), numberHash(NUMBER), "491570156"])
    expect(said).not.toContain(plain);
});

test("the hash depends on the deployment's key", async () => {
  const { cookie } = await callerFor(admin.id);
  const body = { address: ERASED_EMAIL, isStopped: true };
  const [plain] = await logged(() => set(ERASED_EMAIL, true));
  await set(ERASED_EMAIL, false);
  const [keyed] = await logged(() =>
    callWith({ ...mailbox().changed, ORIGIN_HASH_KEY: "another" }, "PUT", STOPS, { cookie, body }),
  );
  expect(keyed!.action).toBe("message.stop");
  expect(keyed!.subjectId).not.toBe(plain!.subjectId);
});

test("text that is not an address or a number is refused", async () => {
  for (const address of ["", "12345", "a@b", "\u0000@example.com", `${"a".repeat(400)}@example.com`]) {
    expect((await asAdmin("PUT", STOPS, { address, isStopped: true })).status, address).toBe(400);
    expect((await asAdmin("POST", PERSON, { address })).status, address).toBe(400);
  }
  expect(await db.$count(messageStops)).toBe(0);
});
