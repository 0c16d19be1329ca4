/** Cloudflare's Email Service reports a dead address or a complaint after it has accepted an email. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { bodyFor } from "../../testing/routes/api.ts";
import { buyer } from "../../testing/cards.ts";
import { db, testEnv } from "../../testing/client.ts";
import { deliverMessages, listed } from "../../testing/drivers.ts";
import { runConsumer } from "../../testing/queue.ts";
import { enableTexts, useSmsStandIn, smsEnv } from "../../testing/sms.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { insertAdmin } from "../../testing/admins.ts";
import { messageChannels, messages, messageStops } from "../platform/db/schema.ts";

const gateway = useSmsStandIn();
const ADDRESS = "anna@example.com";
const QUEUE = "naturestrip-email-events";
/** Texts are sent by day. */
const NOON = Date.parse("2026-11-23T12:00:00+11:00");

let box: ReturnType<typeof mailbox>;

afterEach(() => vi.useRealTimers());

beforeEach(async () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  for (const table of [messages, messageChannels, messageStops]) await db.delete(table);
  gateway.sent.length = 0;
  box = mailbox();
});

const report = (...bodies: unknown[]) => runConsumer(testEnv, bodies, QUEUE);

function event(type: string, details: object = {}) {
  return {
    type: `cf.email.sending.message.${type}`,
    payload: { recipient: ` ${ADDRESS.toUpperCase()}`, ...details },
  };
}

const send = () => deliverMessages(Date.now(), { ...smsEnv, ...box.changed, SITE_HOST: "naturestrip.test" });

/** Lists a request whose confirmation was sent by email. */
async function confirmed() {
  const lead = await listed({ customerPhone: "0491 570 158", customerEmail: ADDRESS });
  await send();
  expect(box.sent.map(({ to }) => to)).toEqual([ADDRESS]);
  return lead;
}

async function buy(leadId: string) {
  const { as } = await buyer({ companyName: "Green Thumbs" });
  const body = bodyFor("POST /api/leads/:id/purchase");
  const response = await as("POST", `/api/leads/${leadId}/purchase`, body);
  const { id } = (await response.json()) as { id: string };
  const detail = async () =>
    (await (await as("GET", `/api/lead-purchases/${id}`)).json()) as { hasEmailBounced: boolean };
  return { detail };
}

test("after a hard bounce the next message goes by text, and the buyer and the admins see it", async () => {
  await enableTexts();
  const lead = await confirmed();
  expect(await report(event("bounced", { bounce: { type: "hard" } }))).toEqual({ acked: ["0"], retried: [] });
  const { detail } = await buy(lead.id);
  await send();
  expect(box.sent).toHaveLength(1);
  expect(gateway.sent).toMatchObject([{ to: "61491570158" }]);
  expect(await detail()).toMatchObject({ hasEmailBounced: true });
  const { asAdmin } = await insertAdmin();
  const failed = await asAdmin("GET", "/api/super-admin/messages");
  expect(await failed.json()).toMatchObject([{ template: "request_received", hasBounced: true }]);
});

test("a temporary refusal and a delivery change nothing", async () => {
  const lead = await confirmed();
  await report(event("bounced", { bounce: { type: "soft" } }), event("deferred"), event("delivered"));
  const { detail } = await buy(lead.id);
  await send();
  expect(box.sent).toHaveLength(2);
  expect(await detail()).toMatchObject({ hasEmailBounced: false });
});

test("a complaint stops emails about requests to that address", async () => {
  const lead = await confirmed();
  await report(event("complained"), event("complained"));
  await buy(lead.id);
  await send();
  expect(box.sent).toHaveLength(1);
});

test("an event that we cannot read is acknowledged, and does not hold up the next", async () => {
  await confirmed();
  const results = await report("?", { type: 1 }, event("bounced", { bounce: { type: "hard" } }));
  expect(results).toEqual({ acked: ["0", "1", "2"], retried: [] });
  expect(await db.select({ state: messages.state }).from(messages)).toContainEqual({ state: "bounced" });
});
