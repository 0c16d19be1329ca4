/**
 * A customer replies to our text message. The team's screens show the reply immediately. The owner's phone
 * gets a notification without the customer's words.
 */
import { and, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { ERASED_CUSTOMER, tracesIn } from "../testing/erased-customer.ts";
import { addPurchase, detail, row } from "../testing/product/pipeline-helpers.ts";
import { expectAccessible, expectFits, collectPageErrors } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  keepToasts,
  openDashboard,
  openWindowAs,
  setUpFixture,
} from "../testing/product/browser-fixture.ts";
import { sendRequest } from "../testing/product/send-request.ts";
import { newPushKeys, PushStandIn } from "../testing/stand-ins/push-stand-in.ts";
import { SmsStandIn } from "../testing/stand-ins/sms-stand-in.ts";
import { serveStandIn } from "../testing/stand-ins/stand-in-server.ts";
import { insertTeamMember, insertUser } from "../testing/world.ts";
import { customerAnswers, leadPurchases, messageChannels, messages } from "../worker/tables.ts";

const SMS_KEYS = "user:password";
const SMS_WEBHOOK_SECRET = "w".repeat(40);
const PUSH_KEYS = await newPushKeys();
const phones = new PushStandIn(PUSH_KEYS);
const gateway = new SmsStandIn(SMS_KEYS);
const server = await serveStandIn((request) =>
  new URL(request.url).pathname.startsWith("/sms/") ? gateway.fetch(request) : phones.fetch(request),
);
afterAll(() => server.stop());
const fixture = setUpFixture({
  PUSH_KEYS,
  PUSH_STAND_IN: server.url,
  MESSAGE_STAND_IN: server.url,
  SMS_GATEWAY: "mobilemessage",
  SMS_SENDER: "+61491570157",
  SMS_KEYS,
  SMS_WEBHOOK_SECRET,
});

const NAME = ERASED_CUSTOMER.customerName;

/** Sends the request of a customer with a mobile number and no email. Its buyer has notifications on. */
async function sell() {
  const { db, callerFor } = fixture.product;
  const { id: leadId } = await sendRequest(fixture, { ...ERASED_CUSTOMER, customerEmail: null });
  const owner = await insertUser(db, { companyName: "Green Thumbs", email: "pat@example.com" });
  const as = await callerFor(owner.id);
  const subscription = await phones.subscribe();
  const { endpoint, p256dh, auth } = subscription;
  expect((await as("POST", "/api/notifications/devices", { endpoint, p256dh, auth })).status).toBe(201);
  // Turn quiet hours off, since tests also run at night.
  const hours = { isOn: false, startsAt: "20:00", endsAt: "07:00" };
  expect((await as("PUT", "/api/notifications/quiet-hours", hours)).status).toBe(200);
  const buyer = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "02 5550 1999" };
  // A request is listed after its customer has received the response.
  await expectSoon(async () => (await as("POST", `/api/leads/${leadId}/purchase`, buyer)).status, 201);
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  const rung = () =>
    phones
      .deliveredTo(subscription)
      .map(({ data: { notification } }) => notification)
      .filter(({ title }) => title!.endsWith("wrote back"));
  return { owner, purchaseId: purchase!.id, leadId, rung };
}

/** Sends the text message now. Texts normally wait for daytime, but tests also run at night. */
async function sendText(leadId: string): Promise<string> {
  const { db } = fixture.product;
  const ours = and(eq(messages.leadId, leadId), eq(messages.channel, "sms"));
  const text = async () => (await db.select().from(messages).where(ours))[0];
  await expectSoon(async () => (await text())?.recipient, "+61491571266");
  await fixture.product.runSchedule();
  await db.update(messages).set({ state: "delivered", attempts: 1 }).where(ours);
  return (await text())!.id;
}

async function reply(message: string, textId: string, at: number): Promise<void> {
  const answered = await fetch(`${fixture.product.url}/api/sms/webhook/${SMS_WEBHOOK_SECRET}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      to: "61491570157",
      sender: "61491571266",
      message,
      received_at: `2026-11-23 01:05:0${at}`,
      type: "inbound",
      original_message_id: "",
      original_custom_ref: textId,
    }),
  });
  expect(answered.status).toBe(200);
}

test("a customer's reply appears on the team's open dashboard, notifies the owner's phone, and is marked read once", async () => {
  const { db } = fixture.product;
  await db.insert(messageChannels).values({ channel: "sms", isOn: true, mostADay: 200 });
  const { owner, purchaseId, leadId, rung } = await sell();
  const textId = await sendText(leadId);
  const member = await insertTeamMember(db, owner);
  const page = await openWindowAs(fixture, member.id, { viewport: { width: 390, height: 844 } });
  const errors = collectPageErrors(page);
  await openDashboard(page, "?tab=leads");
  await keepToasts(page);
  const entry = row(page, NAME);
  await entry.waitFor();
  expect(await entry.getByText("Wrote back").count()).toBe(0);

  await reply(
    "Yes! Friday suits. <b>Side gate</b> is open,\nring 0491 571 266 or see http://evil.example",
    textId,
    1,
  );
  await page.getByText("Marta wrote back").waitFor();
  await entry.getByText("Wrote back").waitFor();
  await expectFits(page, "an answer");
  await expectSoon(() => rung().length, 1);
  const [ring] = rung();
  expect(ring).toMatchObject({
    title: "Your customer wrote back",
    navigate: `${fixture.product.url}/dashboard?tab=leads&lead=${purchaseId}`,
  });
  expect(tracesIn(JSON.stringify(ring))).toEqual([]);

  await page.getByRole("button", { name: "Open" }).click();
  const texts = detail(page).getByRole("region", { name: "Texts from Marta" });
  await texts.getByText("<b>Side gate</b> is open,").waitFor();
  expect(await texts.getByRole("listitem").first().locator("p").innerText()).toContain(
    "ring 0491 571 266 or see http://evil.example",
  );
  expect(await texts.getByRole("link").count()).toBe(0);
  await expectFits(page, "texts");
  await expectAccessible(page, "texts");
  // If one team member reads the reply, it counts as read for the whole business.
  await expectSoon(async () => {
    const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.id, purchaseId));
    return purchase!.answersSeenAt === purchase!.answeredAt;
  }, true);
  await reply("Number 12, blue door", textId, 2);
  await expect.poll(() => texts.getByRole("listitem").first().innerText()).toContain("Number 12, blue door");
  expect(await texts.getByRole("listitem").count()).toBe(2);
  await detail(page).getByRole("button", { name: "Close" }).click();
  await expectSoon(() => entry.getByText("Wrote back").count(), 0);

  // Even with a very long word, the toast's buttons stay on screen.
  await reply(`https://example.com/${"x".repeat(200)}`, textId, 3);
  const toast = page.locator(".toast").filter({ hasText: "https://example.com/x" });
  await toast.waitFor();
  for (const button of await toast.getByRole("button").all()) {
    const { x, width } = (await button.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(390);
  }
  expect(errors).toEqual([]);

  // The owner taps the notification and reads the reply.
  const phone = await openWindowAs(fixture, owner.id, { viewport: { width: 390, height: 844 } });
  await phone.goto(ring!.navigate!);
  await detail(phone).getByRole("region", { name: "Texts from Marta" }).getByText("Number 12").waitFor();
});

test("a mark-as-read that failed while the server was down is resent when the user returns to the page", async () => {
  const { db } = fixture.product;
  const owner = await insertUser(db);
  const id = await addPurchase(fixture, owner, "called", NAME);
  const at = Date.now();
  await db.insert(customerAnswers).values({ id: "ans_1", purchaseId: id, body: "Hi", gatewayRef: "1", at });
  await db.update(leadPurchases).set({ answeredAt: at }).where(eq(leadPurchases.id, id));
  const page = await openWindowAs(fixture, owner.id, { viewport: { width: 1280, height: 900 } });
  let calls = 0;
  await page.route("**/answers-seen", (route) => {
    calls += 1;
    return route.abort();
  });
  await openDashboard(page, `?tab=called&lead=${id}`);
  await expectSoon(() => calls > 0, true);
  await row(page, NAME).getByText("Wrote back").waitFor();
  await page.unroute("**/answers-seen");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expectSoon(() => row(page, NAME).getByText("Wrote back").count(), 0);
});
