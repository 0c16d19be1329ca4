/**
 * Lead notifications on phones: from the settings and a visitor's request to the sale. `worker/messages` proves who gets
 * which alert, and the digest after quiet hours.
 */
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";

import { addDays, sydneyDay } from "../contract/sydney-time.ts";
import { ERASED_CUSTOMER, tracesIn } from "../testing/erased-customer.ts";
import { newPushKeys, PushStandIn } from "../testing/stand-ins/push-stand-in.ts";
import { serveStandIn } from "../testing/stand-ins/stand-in-server.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { loseSubscription, subscribeAs, tapNotification } from "../testing/product/phones.ts";
import {
  fillQuote,
  openContext,
  openWindow,
  openWindowAs,
  setUpFixture,
  signIn,
} from "../testing/product/browser-fixture.ts";
import { insertTeamMember, insertUser } from "../testing/world.ts";
import { alertSettings, pushDevices } from "../worker/tables.ts";

const PUSH_KEYS = await newPushKeys();
const service = new PushStandIn(PUSH_KEYS);
const server = await serveStandIn((request) => service.fetch(request));
afterAll(() => server.stop());
const fixture = setUpFixture({ PUSH_KEYS, PUSH_STAND_IN: server.url });

/** Opens a provider's phone and enables notifications in settings. */
async function phone(name: string) {
  const user = await insertUser(fixture.product.db, {
    email: `${name}@example.com`,
    watchedRegions: ["inner-west", "blacktown"],
  });
  const context = await openContext(fixture, { viewport: { width: 390, height: 844 } });
  await signIn(context, fixture, user.id);
  await context.grantPermissions(["notifications"]);
  const page = await context.newPage();
  const subscription = await service.subscribe();
  await page.addInitScript(subscribeAs, subscription);
  await page.goto("/settings?tab=alerts");
  await page.getByLabel("From").fill("21:00");
  await page.getByRole("textbox", { name: "Until", exact: true }).fill("06:30");
  // Turn quiet hours off, since tests also run at night.
  await page.getByRole("checkbox", { name: "Use quiet hours" }).uncheck();
  await page.getByRole("button", { name: "Save quiet hours" }).click();
  await page.getByText("Quiet hours saved").waitFor();
  await page.getByRole("button", { name: "Turn on for this device" }).click();
  await page.getByText("Notifications are on").waitFor();
  await page.getByText("This device", { exact: true }).waitFor();
  return { user, page, deliveredMessages: () => service.deliveredTo(subscription) };
}

async function askForQuote(): Promise<void> {
  const page = await openWindow(fixture);
  await page.goto("/get-quote");
  const {
    customerAddress: address,
    customerName: name,
    customerPhone,
    customerEmail: email,
  } = ERASED_CUSTOMER;
  const requests = ERASED_CUSTOMER.specificRequests;
  await fillQuote(page, { address, requests, name, phone: customerPhone, email });
  await page.getByRole("button", { name: "Get My Quote" }).click();
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
  await page.context().close();
}

test("a lead notifies a provider, who opens it with a tap and buys it; another provider then reads that it is gone", async () => {
  const { page, deliveredMessages } = await phone("awake");
  await expectFits(page, "notifications");
  await expectAccessible(page, "notifications");
  await page.getByRole("button", { name: /^Send a test/ }).click();
  await expect.poll(() => deliveredMessages().length).toBe(1);

  await askForQuote();
  await expect.poll(() => deliveredMessages().length).toBe(2);
  const went = () => fixture.product.logs().filter((line) => line.message.includes('"message_queue"'));
  await expect
    .poll(() => went().length, { message: "the test and the lead go through the queue" })
    .toBeGreaterThan(1);
  const message = deliveredMessages()[1]!.data;
  const { tag } = message.notification;
  expect(message.notification.title).toBe("New lead in Leichhardt 2040");
  const { shown, opened } = await tapNotification(fixture, message);
  expect(shown).toMatchObject([{ title: message.notification.title, body: message.notification.body }]);
  expect(opened).toEqual([`${fixture.product.url}/dashboard?lead=${tag}`]);
  await page.goto(opened[0]!);
  const focused = page.locator(`[data-lead="${tag}"] button:focus`);
  await focused.waitFor();
  expect(await focused.innerText()).toMatch(/Buy/);
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Buy for $50" }).click();
  await page.getByRole("heading", { name: "It's yours" }).waitFor();
  await page.getByRole("dialog").getByRole("heading", { name: ERASED_CUSTOMER.customerName }).waitFor();

  // A tap on the same notification hours later opens the lead as the provider's own, not as gone.
  await page.goto(opened[0]!);
  await page.locator(".detail").getByText(ERASED_CUSTOMER.customerName).first().waitFor();

  const late = await openWindowAs(fixture, (await insertUser(fixture.product.db)).id);
  await late.goto(opened[0]!);
  await late.getByText("That lead is gone").waitFor();
  expect(tracesIn(JSON.stringify(service.delivered))).toEqual([]);
});

test("a browser that lost its subscription subscribes again quietly, or the settings say so", async () => {
  const { user, page } = await phone("lost");
  const device = async () =>
    (await fixture.product.db.select().from(pushDevices).where(eq(pushDevices.userId, user.id)))[0]!;
  const first = await device();
  await page.reload();
  await page.getByText("This device", { exact: true }).waitFor();
  expect(await device()).toEqual(first);
  await page.evaluate(loseSubscription);
  await page.reload();
  await page.getByText("This device", { exact: true }).waitFor();
  const second = await device();
  expect(second.id).not.toBe(first.id);
  await page.evaluate(loseSubscription);
  await page.goto("/dashboard");
  await expect.poll(async () => (await device()).id).not.toBe(second.id);

  await page.evaluate(loseSubscription);
  await page.addInitScript(() =>
    Object.defineProperty(Notification, "permission", { get: () => "default", configurable: true }),
  );
  await page.goto("/settings?tab=alerts");
  await page.getByText("This browser has stopped receiving notifications.").waitFor();
  expect(await page.getByText("This device", { exact: true }).count()).toBe(0);
  await expectFits(page, "notifications, lost");
  await expectAccessible(page, "notifications, lost");
  await page.getByRole("button", { name: "Turn on for this device" }).click();
  await page.getByText("This device", { exact: true }).waitFor();
});

test("a provider chooses only urgent work and quiet hours, pauses alerts and turns them back on; another session sees that they are on", async () => {
  const { user, page } = await phone("picky");
  const urgencies = page.getByRole("group", { name: "How soon they need it" }).getByRole("checkbox");
  for (const box of (await urgencies.all()).slice(1)) await box.uncheck();
  await page.getByRole("button", { name: "Save choices" }).click();
  await page.getByText("Choices saved").last().waitFor();
  const stored = async () =>
    (await fixture.product.db.select().from(alertSettings).where(eq(alertSettings.userId, user.id)))[0]!;
  expect(await stored()).toMatchObject({
    regions: null,
    services: null,
    urgencies: ["urgent"],
    leastSize: null,
    pausedUntil: null,
    quietHours: { isOn: false, startsAt: "21:00", endsAt: "06:30" },
  });
  await page.getByRole("checkbox", { name: "Use quiet hours" }).check();
  await page.getByRole("button", { name: "Save quiet hours" }).click();
  await expect.poll(async () => (await stored()).quietHours).toMatchObject({ isOn: true, endsAt: "06:30" });

  await page.getByLabel("Pause until").fill(addDays(sydneyDay(Date.now()), 7));
  await page.getByRole("button", { name: "Pause" }).click();
  const paused = page.locator(".paused");
  await paused.getByText(/^Paused until \w+day \d{1,2} \w+$/).waitFor();
  expect((await stored()).pausedUntil).toBeGreaterThan(Date.now());
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 });
    await expectFits(page, `notifications, paused, ${width}`);
  }
  await expectAccessible(page, "notifications, paused");
  await page.getByRole("button", { name: "Turn alerts back on" }).click();
  await page.getByText("Alerts are back on").last().waitFor();
  await paused.waitFor({ state: "detached" });
  expect((await stored()).pausedUntil).toBeNull();

  const other = await openWindowAs(fixture, user.id, { viewport: { width: 390, height: 844 } });
  await other.context().grantPermissions(["notifications"]);
  await other.goto("/dashboard");
  await other.getByRole("listitem").filter({ hasText: "Turn on notifications: done" }).waitFor();
  expect(await other.getByRole("button", { name: "Turn on notifications" }).count()).toBe(0);
});

test("a team member's settings say which alerts the owner has chosen", async () => {
  const owner = await insertUser(fixture.product.db);
  const member = await insertTeamMember(fixture.product.db, owner);
  const call = await fixture.product.callerFor(owner.id);
  const page = await openWindowAs(fixture, member.id, { viewport: { width: 390, height: 844 } });
  await page.addInitScript(subscribeAs, await service.subscribe());
  await page.goto("/settings?tab=alerts");
  await page
    .getByText("You'll get alerts when someone mentions you, even when Naturestrip is closed.")
    .waitFor();
  const alerts = { sales: true, mentions: true };
  expect((await call("PUT", `/api/team-members/${member.id}/alerts`, alerts)).status).toBe(200);
  await page.reload();
  await page.getByText("when the business gets a lead and when someone mentions you").waitFor();
  await expectFits(page, "a member's notifications");
  await expectAccessible(page, "a member's notifications");
});
