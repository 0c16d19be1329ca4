/** A customer changes their email address on the request's page. Through the front door. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { CONSENT_WORDING } from "../../../contract/consent.ts";
import type { MyRequestsAnswer } from "../../../contract/my-requests.ts";
import type { DigitsAnswer } from "../../../contract/request-links.ts";
import { call, callWith, db, testEnv } from "../../../testing/client.ts";
import { customerUpdatesOf, setLead } from "../../../testing/facts.ts";
import { deliverMessages, listLink } from "../../../testing/drivers.ts";
import { detailOf, leadOf, outcomeOf, read, requested, sell } from "../../../testing/customer-requests.ts";
import { rescue } from "../../../testing/rescue.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { messages } from "../../tables.ts";

beforeEach(async () => {
  await db.delete(messages);
});

let people = 1000 + Math.floor(Math.random() * 8000);

/** Stores a request with an address of its own. */
async function requestedBy(overrides: Parameters<typeof requested>[0] = {}, isListed = true) {
  const from = `old${people++}@example.com`;
  return { ...(await requested({ customerEmail: from, ...overrides }, isListed)), from, to: `new-${from}` };
}

const changeEmail = async (token: string, lastDigits: string, customerEmail: string) =>
  (
    await call("POST", "/api/requests/phone", { body: { token, lastDigits, customerEmail } })
  ).json<DigitsAnswer>();

const messagesOf = (id: string) =>
  db
    .select({ template: messages.template, recipient: messages.recipient })
    .from(messages)
    .where(eq(messages.leadId, id))
    .orderBy(messages.template);

/** Returns the leads that the list of an address shows. */
async function listedFor(email: string): Promise<string[]> {
  const body = { token: await listLink(email) };
  const { token } = await (await call("POST", "/api/my-requests/open", { body })).json<{ token: string }>();
  const answer = await (await call("GET", `/api/my-requests?token=${token}`)).json<MyRequestsAnswer>();
  return answer.requests!.map(({ leadId }) => leadId);
}

test("the address changes after the last digits; the new one gets the link, and the old one a notice without one", async () => {
  const { id, token, digits, from, to } = await requestedBy();
  expect(await changeEmail(token, "0000", to)).toEqual({ outcome: "wrong_digits", triesLeft: 4 });
  expect(await leadOf(id)).toMatchObject({ customerEmail: from, emailKey: from });
  // The thank-you email has not been sent yet.
  expect(await messagesOf(id)).toEqual([{ template: "request_received", recipient: from }]);
  expect(await changeEmail(token, digits, ` ${to.toUpperCase()}`)).toEqual({ outcome: "changed" });
  expect(await leadOf(id)).toMatchObject({ customerEmail: to, emailKey: to });
  const expected = [
    { template: "request_email_added", recipient: to },
    { template: "request_email_removed", recipient: from },
    { template: "request_received", recipient: to },
  ];
  expect(await messagesOf(id)).toEqual(expected);
  // The same address again is no change.
  expect(await changeEmail(token, digits, to)).toEqual({ outcome: "changed" });
  expect(await messagesOf(id)).toEqual(expected);
  const box = mailbox();
  await deliverMessages(Date.now(), { ...testEnv, ...box.changed, SITE_HOST: "naturestrip.example" });
  const linkTo = (address: string) =>
    box.sent.filter((mail) => mail.to === address).map(({ text }) => text.includes("/request/"));
  expect(linkTo(to)).toEqual([true, true]);
  expect(linkTo(from)).toEqual([false]);
  expect(box.sent.map(({ text }) => text).join()).not.toMatch(/Robin|Norton|5550/);
  expect([await listedFor(from), await listedFor(to)]).toEqual([[], [id]]);
  expect(JSON.stringify(await read(token))).not.toMatch(/old\d+@/);
});

test("a request without an address gets one, and then its customer may want an email", async () => {
  const { id, token, digits, to } = await requestedBy({ customerEmail: null });
  const reach = () => call("POST", "/api/requests/contact", { body: { token, contactMethod: "email" } });
  expect((await read(token))!.contact).toMatchObject({ hasEmail: false });
  expect((await reach()).status).toBe(400);
  expect(await changeEmail(token, digits, to)).toEqual({ outcome: "changed" });
  expect((await reach()).status).toBe(200);
  expect(await messagesOf(id)).toEqual([{ template: "request_email_added", recipient: to }]);
});

test("an address is checked like a new request's, and a quarantined request sends no email", async () => {
  const { id, token, digits, from } = await requestedBy();
  const send = (settings: Record<string, string>, body: object) =>
    callWith(settings, "POST", "/api/requests/phone", { body: { token, lastDigits: digits, ...body } });
  for (const body of [{}, { customerEmail: "not an address" }, { customerEmail: null }])
    expect((await send({}, body)).status).toBe(400);
  const throwaway = { customerEmail: "x@mailinator.com" };
  expect(await outcomeOf(await send({ SUSPICION_POINTS: "1" }, throwaway))).toBe("call_us");
  // The same person's other request for this place.
  const { customerAddress } = await leadOf(id);
  const other = await requestedBy({ customerAddress });
  const same = { customerEmail: other.from };
  expect(await outcomeOf(await send({ DUPLICATE_DAYS: "14" }, same))).toBe("call_us");
  expect(await leadOf(id)).toMatchObject({ customerEmail: from });
  const kept = await requestedBy({}, false);
  await setLead(kept.id, { listingState: "quarantined" });
  expect(await changeEmail(kept.token, kept.digits, kept.to)).toEqual({ outcome: "changed" });
  expect(await leadOf(kept.id)).toMatchObject({ customerEmail: kept.to });
  expect(await messagesOf(kept.id)).toEqual([]);
});

test("after the sale, the buyer sees the new address, and the history neither one in full", async () => {
  const { id, token, digits, from, to } = await requestedBy();
  const sold = await sell(id);
  const own = { customerEmail: "own@example.com" };
  await sold.as("PATCH", `/api/lead-purchases/${sold.purchaseId}/customer`, own);
  expect(await changeEmail(token, digits, to)).toEqual({ outcome: "changed" });
  const detail = await detailOf(sold);
  expect(detail).toMatchObject({ customerEmail: to });
  const masked = { field: "customerEmail", before: "o•••@example.com", after: "n•••@example.com" };
  expect(detail.updates).toMatchObject([{ kind: "changed", changes: [masked] }]);
  const history = await customerUpdatesOf(id);
  expect(JSON.stringify(history)).not.toContain(from);
});

test("after a rescue, the list of the new address shows the request, and the old one's no longer", async () => {
  const { id, token, digits, from, to } = await requestedBy({ consentWording: CONSENT_WORDING });
  await sell(id);
  await rescue(id);
  expect(await listedFor(from)).toEqual([id]);
  expect(await changeEmail(token, digits, to)).toEqual({ outcome: "changed" });
  expect(await listedFor(from)).toEqual([]);
  expect(await listedFor(to)).toEqual([id]);
});

test("two changes in a row: only the last address gets a confirmation, and one that got no email no notice", async () => {
  const { id, token, digits, from, to } = await requestedBy({}, false);
  await changeEmail(token, digits, to);
  const last = `last-${from}`;
  await changeEmail(token, digits, last);
  expect(await messagesOf(id)).toEqual([
    { template: "request_email_added", recipient: last },
    { template: "request_email_removed", recipient: from },
  ]);
  // Back to the first address: it no longer needs its notice.
  await changeEmail(token, digits, from);
  expect(await messagesOf(id)).toEqual([{ template: "request_email_added", recipient: from }]);
  // Once we have emailed it, it needs one again.
  await db.update(messages).set({ state: "sent", triedAt: 1 }).where(eq(messages.leadId, id));
  await changeEmail(token, digits, to);
  expect(await messagesOf(id)).toEqual([
    { template: "request_email_added", recipient: from },
    { template: "request_email_added", recipient: to },
    { template: "request_email_removed", recipient: from },
  ]);
});
