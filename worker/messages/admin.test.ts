/** Super admins see enough of a message to fix a fault, but no address. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import type { ChannelState, MessageSummary } from "../../contract/messages.ts";
import { insertAdmin } from "../../testing/admins.ts";
import { callerFor, callWith, db, testEnv } from "../../testing/client.ts";
import { auditEntries, setLead } from "../../testing/facts.ts";
import { deliverMessages, listed } from "../../testing/drivers.ts";
import { ERASED_CUSTOMER, ERASED_EMAIL, tracesIn } from "../../testing/erased-customer.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { messageChannels, messages } from "../tables.ts";

const { admin, asAdmin, list, pages } = await insertAdmin();
/** Returns the admin's cookie, for a call of another deployment. */
async function asCookie() {
  const { cookie } = await callerFor(admin.id);
  return { cookie };
}

const LIST = "/api/super-admin/messages";

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(messageChannels);
});

/** An email service that permanently refuses every message. */
const refusing = {
  ...testEnv,
  ...mailbox().changed,
  EMAIL: { send: () => Promise.reject(Object.assign(new Error("no"), { code: "E_RECIPIENT_SUPPRESSED" })) },
} as unknown as typeof testEnv;

async function failedEmail() {
  const lead = await listed(ERASED_CUSTOMER);
  await deliverMessages(Date.now(), refusing);
  const [row] = await db.select().from(messages).where(eq(messages.leadId, lead.id));
  return { lead, id: row!.id };
}

const channels = async (): Promise<ChannelState[]> => {
  const response = await asAdmin("GET", `${LIST}/channels`);
  expect(response.status).toBe(200);
  return (await response.json()) as ChannelState[];
};

const setChannel = (channel: string, body: { isOn: boolean; mostADay: number }) =>
  asAdmin("PUT", `${LIST}/channels/${channel}`, body);

test("admins see the channels and the failed messages, without addresses", async () => {
  const { lead } = await failedEmail();
  await listed({ ...ERASED_CUSTOMER, customerAddress: "9 Norton Street" });
  await deliverMessages(Date.now(), { ...testEnv, ...mailbox().changed });
  await listed({ ...ERASED_CUSTOMER, customerAddress: "11 Norton Street" });
  expect(await channels()).toEqual([
    { channel: "email", isReady: false, isOn: true, mostADay: 1_000 },
    { channel: "push", isReady: false, isOn: true, mostADay: null },
    { channel: "sms", isReady: false, isOn: false, mostADay: 200 },
  ]);
  const failed = await list<MessageSummary>(LIST);
  expect(failed).toMatchObject([{ about: lead.id, to: expect.stringMatching(/^.…@.….+$/) }]);
  expect(tracesIn(JSON.stringify(failed))).toEqual([]);
});

test("the list is paged, even when many messages have the same time", async () => {
  const row = { channel: "push", template: "new_lead", payload: {}, attempts: 1 } as const;
  const rows = Array.from({ length: 9 }, (_, i) => ({
    ...row,
    id: `msg_paging0${i}`,
    dedupeKey: `paging:${i}`,
    state: i < 4 ? ("waiting" as const) : ("failed" as const),
    due: 5,
    expiresAt: 6,
    createdAt: 5,
  }));
  for (const one of rows) await db.insert(messages).values(one);
  const ids = (await pages<MessageSummary>(`${LIST}?limit=2`)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);
  expect(ids).toHaveLength(5);
});

test("a failed message is sent again once with current facts, and the audit log names the admin", async () => {
  const { id } = await failedEmail();
  const again = await asCookie();
  const box = mailbox();
  const ask = () => callWith(box.changed, "POST", `${LIST}/${id}/again`, again);
  expect((await ask()).status).toBe(202);
  expect(box.sent).toMatchObject([{ to: ERASED_EMAIL }]);
  expect((await ask()).status).toBe(404);
  expect(box.sent).toHaveLength(1);
  const lines = await auditEntries(id);
  expect(lines).toMatchObject([
    { action: "message.sent_again", actorUserId: admin.id, after: { template: "request_received" } },
  ]);
});

test("an outdated message is dropped instead of sent again", async () => {
  const { id, lead } = await failedEmail();
  await setLead(lead.id, { status: "withdrawn" });
  const box = mailbox();
  await callWith(box.changed, "POST", `${LIST}/${id}/again`, await asCookie());
  expect(box.sent).toEqual([]);
  expect(await db.select().from(messages).where(eq(messages.id, id))).toMatchObject([{ state: "dropped" }]);
});

test("an admin switches a channel and sets its limit, and the audit log has the previous setting", async () => {
  expect((await setChannel("email", { isOn: false, mostADay: 20 })).status).toBe(200);
  expect((await setChannel("email", { isOn: true, mostADay: 30 })).status).toBe(200);
  expect((await channels())[0]).toMatchObject({ channel: "email", isOn: true, mostADay: 30 });
  const lines = await auditEntries("email");
  expect(lines).toMatchObject([
    { action: "message.channel_set", before: null, after: { isOn: false, mostADay: 20 } },
    { before: { isOn: false, mostADay: 20 }, after: { isOn: true, mostADay: 30 } },
  ]);
  expect((await setChannel("spread", { isOn: false, mostADay: 1 })).status).toBe(404);
});
