/** Google Ads receives a conversion only if the operator has configured it and the visitor consents. */
import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";

import { expectSoon, openContext, setUpFixture } from "../testing/product/browser-fixture.ts";

const CONVERSION = "AW-123456789/AbC-D_efG";
const BUILDER = "https://websites.example/start";
const TEXTS = {
  SMS_GATEWAY: "mobilemessage",
  SMS_SENDER: "Naturestrip",
  SMS_KEYS: "user:password",
  SMS_WEBHOOK_SECRET: "w".repeat(32),
};
const fixture = setUpFixture({
  ADS_CONVERSION: CONVERSION,
  WEBSITE_BUILDER_URL: BUILDER,
  SLOW_CALLERS: "no_rescue_offers",
  ...TEXTS,
});

/** Creates a profile in which Google's script does nothing. Records every third-party request. */
async function profile(): Promise<{ context: BrowserContext; requests: string[] }> {
  const context = await openContext(fixture);
  const requests: string[] = [];
  await context.route(
    (url) => url.origin !== fixture.product.url,
    (route) => {
      requests.push(route.request().url());
      return route.fulfill({ contentType: "text/javascript", body: "" });
    },
  );
  return { context, requests };
}

/** Returns the commands queued for Google's tag. */
const commands = (page: Page) =>
  page.evaluate(() =>
    (window.dataLayer ?? []).map((command) => Array.from(command as ArrayLike<unknown>).slice(0, 3)),
  );

const question = (page: Page) => page.getByRole("region", { name: "Did an ad bring you here?" });

test("nothing is reported before the visitor consents; then one conversion worth 30 AUD, once", async () => {
  const { context, requests } = await profile();
  const page = await context.newPage();
  await page.goto("/success", { waitUntil: "networkidle" });
  await question(page).waitFor();
  expect(requests).toEqual([]);
  expect(await commands(page)).toEqual([]);
  expect(await context.cookies()).toEqual([]);

  await question(page).getByRole("button", { name: "Yes, Tell Google" }).click();
  await expectSoon(() => requests, ["https://www.googletagmanager.com/gtag/js?id=AW-123456789"]);
  const conversion = ["event", "conversion", { send_to: CONVERSION, value: 30, currency: "AUD" }];
  expect((await commands(page)).slice(1)).toEqual([["config", "AW-123456789"], conversion]);
  expect(await question(page).isVisible()).toBe(false);

  await page.reload({ waitUntil: "networkidle" });
  expect(await commands(page), "a reload is no second request").toEqual([]);
  expect(requests).toHaveLength(1);

  const next = await context.newPage();
  await next.goto("/success");
  await expectSoon(async () => (await commands(next)).at(-1), conversion);
  expect(await question(next).isVisible(), "asked once").toBe(false);
});

test("a visitor who declines is not asked again, and nothing is reported", async () => {
  const { context, requests } = await profile();
  const page = await context.newPage();
  await page.goto("/success");
  await question(page).getByRole("button", { name: "No, Thanks" }).click();
  const next = await context.newPage();
  await next.goto("/success", { waitUntil: "networkidle" });
  expect(await question(next).isVisible()).toBe(false);
  expect(await commands(next)).toEqual([]);
  expect(requests).toEqual([]);
});

test("Global Privacy Control counts as a refusal", async () => {
  const { context, requests } = await profile();
  await context.addInitScript(() => {
    Object.defineProperty(navigator, "globalPrivacyControl", { value: true });
  });
  const page = await context.newPage();
  await page.goto("/success", { waitUntil: "networkidle" });
  expect(await question(page).isVisible()).toBe(false);
  expect(requests).toEqual([]);
});

test("only the thank-you page may load Google's tag, and the privacy policy says so", async () => {
  const policyOf = async (path: string) =>
    (await fetch(fixture.product.url + path)).headers.get("Content-Security-Policy");
  expect(await policyOf("/success")).toContain("https://www.googletagmanager.com");
  for (const path of ["/", "/get-quote", "/privacy-policy"]) {
    expect(await policyOf(path), path).not.toContain("google");
  }
  const policy = await (await fetch(`${fixture.product.url}/privacy-policy`)).text();
  expect(policy).toContain("Google Ads");
  // The policy also names the text message provider.
  expect(policy).toContain("Mobile Message");
  // The operator's setting for providers who do not call.
  expect(policy).toContain("that provider isn't offered requests that are passed on");
});

test("the link to the website-building service uses the operator's URL", async () => {
  const html = await (await fetch(fixture.product.url)).text();
  expect(html).toContain(`href="${BUILDER}"`);
});
