/** The short forms of the site in a browser: with their islands, without script, and when sending fails. */
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { bookings, leads } from "../worker/db/schema.ts";
import { type Product, startProduct } from "./product.ts";

let product: Product;
let browser: Browser;

beforeAll(async () => {
  product = await startProduct();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function open(path: string, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(product.url + path);
  return page;
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with script" : "without script";

  test(`a service page's form says what is wrong and then sends a lead, ${how}`, async () => {
    const page = await open("/service/hedge-trimming", { javaScriptEnabled });
    const before = (await product.db.select().from(leads)).length;
    const form = page.locator("form#quote");
    const send = form.getByRole("button", { name: "Get Free Quote" });
    await form.locator("[name=serviceNeed]").fill("too short");
    await send.click();
    for (const text of [
      "Name must be at least 2 characters",
      "Phone number must be at least 10 digits",
      "Please provide a valid address",
      "Please describe what you need",
    ]) {
      await page.getByText(text).waitFor();
    }
    expect(await form.locator("[name=serviceNeed]").inputValue()).toBe("too short");
    await form.locator("[name=customerName]").fill("Anna Brown");
    await form.locator("[name=customerPhone]").fill("02 5550 0123");
    await form.locator("[name=customerAddress]").fill("12 Banksia Street, Leichhardt NSW 2040");
    await form.locator("[name=serviceNeed]").fill("The hedge along the drive");
    await send.click();
    await page.waitForURL(/\/success(#|$)/);
    const all = await product.db.select().from(leads);
    expect(all).toHaveLength(before + 1);
    expect(all.at(-1)).toMatchObject({
      serviceType: ["hedge_trimming"],
      additionalServices: ["edging"],
      specificRequests: "The hedge along the drive",
      budgetConcern: "somewhat_important",
      consentWording: expect.any(String),
    });
    await page.context().close();
  });

  test(`a booking asks for a vehicle only with an inspection and is stored, ${how}`, async () => {
    const page = await open("/location/leichhardt", { javaScriptEnabled });
    const form = page.locator("form#book");
    const send = form.getByRole("button", { name: "Book Now" });
    await send.click();
    for (const text of [
      "Name must be at least 2 characters",
      "Phone number must be at least 10 characters",
      "Please enter a valid email address",
      "Property size is required",
      "Please select a service type",
    ]) {
      await page.getByText(text).waitFor();
    }
    await form.locator("[name=serviceType]").selectOption("lawn_mowing");
    expect(await form.locator("[name=vehicle]").isVisible()).toBe(false);
    await form.locator("[name=serviceType]").selectOption("pink_slip_inspection");
    expect(await form.locator("[name=vehicle]").isVisible()).toBe(true);
    await form.locator("[name=vehicle]").fill("Toyota Corolla 2015");
    await form.locator("[name=name]").fill("Anna Brown");
    await form.locator("[name=phone]").fill("02 5550 0123");
    await form.locator("[name=email]").fill("anna@example.com");
    await form.locator("[name=propertySize]").selectOption("medium");
    await send.click();
    await page.waitForURL(/\/success(#|$)/);
    expect((await product.db.select().from(bookings)).at(-1)).toMatchObject({
      vehicle: "Toyota Corolla 2015",
      suburbId: "sub_leichhardt",
      leadId: null,
    });
    await page.context().close();
  });

  test(`the services page's form sends what was ticked, ${how}`, async () => {
    const page = await open("/services", { javaScriptEnabled });
    const form = page.locator("form#quote");
    const send = form.getByRole("button", { name: "Get Free Quote" });
    await form.locator("[name=customerName]").fill("Anna Brown");
    await form.locator("[name=customerPhone]").fill("02 5550 0123");
    await form.locator("[name=customerAddress]").fill("12 Banksia Street, Leichhardt NSW 2040");
    await send.click();
    await page.getByText("Please select at least one service").waitFor();
    await form.getByLabel("Garden cleanup").check();
    await form.getByLabel("Pressure washing").check();
    await send.click();
    await page.waitForURL(/\/success(#|$)/);
    expect((await product.db.select().from(leads)).at(-1)).toMatchObject({
      serviceType: ["garden_cleanup", "pressure_washing"],
      specificRequests: "Services requested: Garden cleanup, Pressure washing",
    });
    await page.context().close();
  });
}

test("a booking that cannot be sent says so and keeps what was typed", async () => {
  const page = await open("/location/leichhardt");
  const form = page.locator("form#book");
  await page.route("**/api/bookings", (route) => route.abort());
  await form.locator("[name=name]").fill("Anna Brown");
  await form.locator("[name=phone]").fill("02 5550 0123");
  await form.locator("[name=email]").fill("anna@example.com");
  await form.locator("[name=serviceType]").selectOption("lawn_mowing");
  await form.locator("[name=propertySize]").selectOption("medium");
  await form.getByRole("button", { name: "Book Now" }).click();
  await page.getByText("Failed to submit booking. Please try again.").waitFor();
  expect(await form.locator("[name=name]").inputValue()).toBe("Anna Brown");
  await page.context().close();
});

test("the bar for thumbs comes after 300 px and stays away once dismissed", async () => {
  const page = await open("/");
  const bar = page.getByRole("complementary", { name: "Get a quote" });
  expect(await bar.isVisible()).toBe(false);
  await page.evaluate(() => scrollTo({ top: 301, behavior: "instant" }));
  await bar.waitFor();
  await page.getByText("Only 3 slots left today in your area").waitFor();
  await bar.getByRole("button", { name: "Dismiss" }).click();
  expect(await bar.isVisible()).toBe(false);
  await page.reload();
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
  await page.waitForTimeout(200);
  expect(await bar.isVisible()).toBe(false);
  await page.context().close();
});

test("locations are found, filtered and ordered without script", async () => {
  const page = await open("/locations?search=manly", { javaScriptEnabled: false });
  expect(await page.getByLabel("Suburb, postcode or council").inputValue()).toBe("manly");
  await page.getByRole("heading", { name: "1 matching location" }).waitFor();
  await page.getByLabel("Suburb, postcode or council").fill("");
  await page.getByLabel("Council", { exact: true }).selectOption("Inner West Council");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("heading", { name: /^\d+ matching locations$/ }).waitFor();
  expect(await page.getByRole("heading", { level: 3 }).first().textContent()).toBe("Inner West Council");
  await page.getByRole("link", { name: "Alphabetical" }).click();
  expect(new URL(page.url()).searchParams.get("council")).toBe("Inner West Council");
  await page.context().close();
});
