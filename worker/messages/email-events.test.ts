/** Cloudflare's Email Service reports a dead address or a complaint after it has accepted an email. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { insertAdmin } from "../../testing/admins.ts";
import { buyer } from "../../testing/cards.ts";
import { testEnv } from "../../testing/client.ts";
import { deliverMessages, listed } from "../../testing/drivers.ts";
import { runConsumer } from "../../testing/queue.ts";
import { bodyFor } from "../../testing/routes/api.ts";
import { enableTexts, useSmsStandIn, smsEnv } from "../../testing/sms.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";

const gateway = useSmsStandIn();
const QUEUE = "naturestrip-email-events";
/** Texts are sent by day. */
const NOON = Date.parse("2026-11-23T12:00:00+11:00");
const HARD = { bounce: { type: "hard" } };

beforeEach(() => vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

const box = mailbox();
const emailsTo = (address: string) => box.sent.filter(({ to }) => to === address).length;

/** Reports events about an address, as the service spells it. */
const report = (address: string, ...events: [type: string, details?: object][]) =>
  runConsumer(
    testEnv,
    events.map(([type, details]) => ({
      type: `cf.email.sending.message.${type}`,
      payload: { recipient: ` ${address.toUpperCase()}`, ...details },
    })),
    QUEUE,
  );

const send = () => deliverMessages(Date.now(), { ...smsEnv, ...box.changed, SITE_HOST: "naturestrip.test" });

/** Lists a request whose confirmation was sent by email. */
async function confirmed(address: string) {
  const lead = await listed({ customerPhone: "0491 570 158", customerEmail: address });
  await send();
  expect(emailsTo(address)).toBe(1);
  return lead;
}

async function buy(leadId: string) {
  const { as } = await buyer({ companyName: "Green Thumbs" });
  const body = bodyFor("POST /api/leads/:id/purchase");
  const { id } = (await (await as("POST", `/api/leads/${leadId}/purchase`, body)).json()) as { id: string };
  await send();
  return (await (await as("GET", `/api/lead-purchases/${id}`)).json()) as { hasEmailBounced: boolean };
}

async function failedMessages() {
  const { asAdmin } = await insertAdmin();
  return (await (await asAdmin("GET", "/api/super-admin/messages")).json()) as { hasBounced: boolean }[];
}

test("after a hard bounce the next message goes by text, and the buyer and the admins see it", async () => {
  await enableTexts();
  const { id } = await confirmed("dead@example.com");
  expect(await report("dead@example.com", ["bounced", HARD])).toEqual({ acked: ["0"], retried: [] });
  expect(await buy(id)).toMatchObject({ hasEmailBounced: true });
  expect(emailsTo("dead@example.com")).toBe(1);
  expect(gateway.sent).toMatchObject([{ to: "61491570158" }]);
  expect(await failedMessages()).toMatchObject([{ template: "request_received", hasBounced: true }]);
});

test("a temporary refusal and a delivery change nothing", async () => {
  const { id } = await confirmed("busy@example.com");
  await report("busy@example.com", ["bounced", { bounce: { type: "soft" } }], ["deferred"], ["delivered"]);
  expect(await buy(id)).toMatchObject({ hasEmailBounced: false });
  expect(emailsTo("busy@example.com")).toBe(2);
});

test("a complaint stops emails about requests to that address", async () => {
  const { id } = await confirmed("cross@example.com");
  await report("cross@example.com", ["complained"], ["complained"]);
  await buy(id);
  expect(emailsTo("cross@example.com")).toBe(1);
});

test("an event that we cannot read is acknowledged, and does not hold up the next", async () => {
  const { id } = await confirmed("gone@example.com");
  const events = ["?", { type: 1 }];
  expect(await runConsumer(testEnv, events, QUEUE)).toEqual({ acked: ["0", "1"], retried: [] });
  await report("gone@example.com", ["bounced", HARD]);
  expect(await buy(id)).toMatchObject({ hasEmailBounced: true });
});
