/** A phone rings for a lead: from the settings over a visitor's request to the card with its Buy button. */
import { afterAll, expect, test } from "vitest";

import { newPushKeys, PushStandIn } from "../testing/stand-ins/push-stand-in.ts";
import { serveStandIn } from "../testing/stand-ins/stand-in-server.ts";
import { expectAccessible, expectFits } from "../testing/product/looks.ts";
import { openContext, setStage, signIn } from "../testing/product/windows.ts";
import { insertUser, quoteRequest } from "../testing/world.ts";

const PUSH_KEYS = await newPushKeys();
const service = new PushStandIn(PUSH_KEYS);
const server = await serveStandIn((request) => service.fetch(request));
afterAll(() => server.stop());
const stage = setStage({ PUSH_KEYS, PUSH_STAND_IN: server.url });

/** What a browser of a test subscribes with: its own push service is not on this machine. */
type Fake = { endpoint: string; p256dh: string; auth: string };

function subscribeAs({ endpoint, ...keys }: Fake): void {
  const subscription = {
    endpoint,
    getKey: (name: "p256dh" | "auth") =>
      Uint8Array.from(atob(keys[name].replaceAll("-", "+").replaceAll("_", "/")), (sign) =>
        sign.codePointAt(0)!,
      ).buffer,
  };
  // This browser has no screen, and so no permission to show anything on it.
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  PushManager.prototype.subscribe = async () => subscription as unknown as PushSubscription;
  PushManager.prototype.getSubscription = async () => null;
}

test("a provider turns notifications on, hears of a lead, and finds it with its Buy button at hand, or gone", async () => {
  const user = await insertUser(stage.product.db);
  const context = await openContext(stage, { viewport: { width: 390, height: 844 } });
  await signIn(context, stage, user.id);
  await context.grantPermissions(["notifications"]);
  const page = await context.newPage();
  const subscription = await service.subscribe();
  await page.addInitScript(subscribeAs, subscription);
  await page.goto("/settings?tab=notifications");
  // Tests run at night as well.
  await page.getByRole("checkbox", { name: "Keep quiet hours" }).uncheck();
  await page.getByRole("button", { name: "Save quiet hours" }).click();
  await page.getByText("Quiet hours saved").waitFor();
  await page.getByRole("button", { name: "Turn on for this device" }).click();
  await page.getByText("Notifications are on").waitFor();
  await page.getByText("This device").waitFor();
  await expectFits(page, "notifications");
  await expectAccessible(page, "notifications");
  await page.getByRole("button", { name: /^Send a test/ }).click();
  await expect.poll(() => service.toldTo(subscription).length).toBe(1);

  const { url } = stage.product;
  const headers = { "Content-Type": "application/json", Origin: new URL(url).origin };
  const sent = await fetch(`${url}/api/leads`, {
    method: "POST",
    headers,
    body: JSON.stringify(quoteRequest()),
  });
  expect(sent.status).toBe(201);
  await expect.poll(() => service.toldTo(subscription).length).toBe(2);
  const { navigate, title, tag } = service.toldTo(subscription)[1]!.data.notification;
  expect(title).toBe("New lead in Leichhardt 2040");
  await page.goto(navigate!);
  const focused = page.locator(`[data-lead="${tag}"] button:focus`);
  await focused.waitFor();
  expect(await focused.innerText()).toMatch(/Buy/);
  await expect.poll(() => new URL(page.url()).search).toBe("");

  await page.goto(navigate!.replace(/_[0-9a-z]+$/, "_00000000000000000000"));
  await page.getByText("That lead is gone").waitFor();
});
