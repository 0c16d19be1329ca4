/** The site's short forms in a browser: with islands, without script, and if sending fails. */
import { eq } from "drizzle-orm";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";

import { UNCLEAR_SUBURB } from "../contract/address.ts";
import { CONSENT_WORDING } from "../contract/consent.ts";
import { addDays, sydneyDay } from "../contract/sydney-time.ts";
import { SERVICE_LIST } from "../web/services/services.ts";
import { bookings, leads } from "../worker/tables.ts";
import {
  blockRequests,
  expectSoon,
  keepToasts,
  openWindow,
  setUpFixture,
  waitForHydration,
  waitForPaint,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const PHONE_SIZE = { viewport: { width: 360, height: 740 } };
const ADDRESS = "12 Banksia Street, Leichhardt NSW 2040";

function leadsOf(name: string) {
  return fixture.product.db.select().from(leads).where(eq(leads.customerName, name));
}

async function open(path: string, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const page = await openWindow(fixture, { ...PHONE_SIZE, ...options });
  await page.goto(path);
  return page;
}

const fail = (route: Route) => route.fulfill({ status: 500, body: "Oh dear" });

async function expectThanks(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
}

/**
 * Returns the phone number, job and reference on the thank-you page. They may arrive in a later chunk than
 * its heading.
 */
const recapOf = (page: Page) => page.locator(".recap dd").allTextContents();

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`[name=${name}]`).fill(value);
}

const contact = (customerName: string) => ({
  customerName,
  customerPhone: "02 5550 0123",
  customerAddress: ADDRESS,
});

const SERVICE_ERRORS = [
  "Name must be at least 2 characters",
  "Phone number must be at least 10 digits",
  "Please provide a valid address",
  "Please describe what you need",
];

test("every form and the footer link the page that says how it works and what it costs", async () => {
  for (const path of ["/", "/get-quote", "/services", "/service/lawn-mowing", "/location/parramatta"]) {
    const html = await (await fetch(fixture.product.url + path)).text();
    const links = html.split("<footer").map((part) => part.includes('href="/how-it-works"'));
    expect(links, path).toEqual(path === "/get-quote" ? [true] : [true, true]);
  }
});

/** What a browser posts for each kind of short form, for a given name. */
const POSTED_FORMS: Record<string, (name: string) => Record<string, string>> = {
  "/service/lawn-mowing": (name) => ({ ...contact(name), serviceNeed: "Mow the front and the back" }),
  "/services": (name) => ({ ...contact(name), servicesWanted: "yard_cleanup" }),
  "/location/leichhardt": (name) => ({
    name,
    phone: "02 5550 0123",
    email: "anna@example.com",
    vehicle: "",
    serviceType: "lawn_mowing",
    propertySize: "medium",
    suburbId: "sub_leichhardt",
  }),
};

test("a service page's form keeps early input, shows its errors, survives failures, and sends one request", async () => {
  const page = await openWindow(fixture, PHONE_SIZE);
  const releaseScripts = await blockRequests(page, "**/assets/simple-quote-form.island-*.js");
  await page.goto("/service/hedge-trimming");
  await fill(page, { serviceNeed: "too short" });
  releaseScripts();
  await waitForHydration(page);
  await keepToasts(page);
  const send = page.getByRole("button", { name: "Get Free Quote" });
  await send.click();
  for (const text of SERVICE_ERRORS) await page.getByText(text).waitFor();
  expect(await page.locator("[name=serviceNeed]").inputValue()).toBe("too short");

  await fill(page, { ...contact("Hedda Hedge"), serviceNeed: "The hedge along the drive" });
  const toast = page.getByRole("alert").filter({ hasText: "Failed to submit service request." });
  await page.context().setOffline(true);
  await send.click();
  await toast.waitFor();
  expect(await toast.getByText("Error", { exact: true }).count()).toBe(1);
  await page.context().setOffline(false);
  // A swipe dismisses the toast.
  const box = (await toast.boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 20, { steps: 3 });
  await page.mouse.up();
  expect(await toast.isVisible()).toBe(false);

  await page.route("**/service/hedge-trimming", fail, { times: 1 });
  await send.click();
  await toast.waitFor();
  await page.keyboard.press("F8");
  expect(await toast.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  expect(await toast.isVisible()).toBe(false);
  expect(await page.locator("[name=customerName]").inputValue()).toBe("Hedda Hedge");

  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await send.dblclick();
  await expectThanks(page);
  expect(sent).toHaveLength(1);
  await page.goBack();
  await send.waitFor();
  await page.goForward();
  await page.reload();
  await expectThanks(page);
  expect(await leadsOf("Hedda Hedge")).toMatchObject([
    {
      serviceType: ["hedge_trimming"],
      additionalServices: ["edging"],
      specificRequests: "The hedge along the drive",
      budgetConcern: "somewhat_important",
      consentWording: CONSENT_WORDING,
    },
  ]);
});

test("a garden booking keeps early input, offers the likely email address without blocking, and becomes a lead", async () => {
  const page = await openWindow(fixture, PHONE_SIZE);
  const releaseScripts = await blockRequests(page, "**/assets/booking-form.island-*.js");
  await page.goto("/location/leichhardt");
  await fill(page, { message: "The gate sticks" });
  releaseScripts();
  await waitForHydration(page);
  const send = page.getByRole("button", { name: "Book Now" });
  await send.click();
  await page.getByText("Name must be at least 2 characters").waitFor();
  await expectSoon(() => page.evaluate(() => document.activeElement?.id), "name");
  await fill(page, { name: "Gary Garden" });
  expect(await page.getByText("Name must be at least 2 characters").count()).toBe(0);
  expect(await page.getByText("Please enter a valid email address").count()).toBe(1);

  const email = page.getByLabel("Email");
  await email.fill("gary@gmial.com");
  const offer = page.getByText("Did you mean gary@gmail.com?");
  await offer.waitFor();
  expect(await email.getAttribute("aria-invalid")).toBeNull();
  await offer.getByRole("button").click();
  expect(await email.inputValue()).toBe("gary@gmail.com");
  await offer.waitFor({ state: "detached" });
  await email.fill("gary@bigpnd.com");
  await page.getByText("Did you mean gary@bigpond.com?").waitFor();

  await fill(page, { phone: "02 5550 0123", preferredDate: addDays(sydneyDay(Date.now()), 14) });
  await page.locator("[name=serviceType]").selectOption("lawn_mowing");
  await page.locator("[name=propertySize]").selectOption("medium");
  await page.context().setOffline(true);
  await send.click();
  await page.getByRole("alert").filter({ hasText: "Failed to submit booking. Please try again." }).waitFor();
  await page.context().setOffline(false);
  await send.click();
  await expectThanks(page);
  const booked = await leadsOf("Gary Garden");
  const reference = booked[0]!.reference;
  await expectSoon(() => recapOf(page), ["02 5550 0123", "Lawn mowing in Leichhardt", reference]);
  expect(booked).toMatchObject([
    {
      source: "booking",
      suburbName: "Leichhardt",
      customerEmail: "gary@bigpnd.com",
      serviceType: ["lawn_mowing"],
      specificRequests: expect.stringMatching(/^The gate sticks\nPreferred date: \d+ [A-Z][a-z]+ \d{4}$/),
    },
  ]);
});

test("without script, a booking asks for a vehicle only for an inspection, and is stored", async () => {
  const page = await open("/location/leichhardt", { javaScriptEnabled: false });
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
  await fill(page, {
    vehicle: "Toyota Corolla 2015",
    name: "Ivy Inspection",
    phone: "02 5550 0123",
    email: "anna@example.com",
  });
  expect(await form.locator("[name=propertySize]").isVisible()).toBe(false);
  await send.click();
  await expectThanks(page);
  await page.getByText("We’ll call you to set a time for the inspection.").waitFor();
  expect(await page.getByText("find a provider").count()).toBe(0);
  const isOurs = eq(bookings.name, "Ivy Inspection");
  const [booking] = await fixture.product.db.select().from(bookings).where(isOurs);
  const requestText = "Pink Slip Inspection in Leichhardt";
  await expectSoon(() => recapOf(page), ["02 5550 0123", requestText, booking!.reference]);
  expect(booking).toMatchObject({
    vehicle: "Toyota Corolla 2015",
    suburbId: "sub_leichhardt",
    leadId: null,
  });
});

test("the services page's form sends the ticked services", async () => {
  const page = await open("/services");
  await fill(page, contact("Sally Several"));
  await page.getByRole("button", { name: "Get Free Quote" }).click();
  await page.getByText("Please select at least one service").waitFor();
  await page.getByLabel("Garden cleanup").check();
  await page.getByLabel("Pressure washing").check();
  await page.getByRole("button", { name: "Get Free Quote" }).click();
  await expectThanks(page);
  expect(await leadsOf("Sally Several")).toMatchObject([
    {
      serviceType: ["garden_cleanup", "pressure_washing"],
      specificRequests: "Services requested: Garden cleanup, Pressure washing",
    },
  ]);
});

/** Posts a form as a browser does before any script loads. */
const post = (path: string, values: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(fixture.product.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: fixture.product.url, ...headers },
    // The page is cached for all visitors, so the first post has no submission ID.
    body: new URLSearchParams({ submissionId: "", ...values }),
  });

test("each short form posted twice at once before any script loads creates one lead", async () => {
  for (const [path, valuesFor] of Object.entries(POSTED_FORMS)) {
    const send = (name: string) => post(path, valuesFor(name));
    const twice = `Dora Double of ${path}`;
    const answers = await Promise.all([send(twice), send(twice), send(twice)]);
    expect(
      answers.map((response) => [response.status, response.headers.get("Location")]),
      path,
    ).toEqual(Array.from({ length: 3 }, () => [303, "/success"]));
    expect(await leadsOf(twice), path).toHaveLength(1);
    const other = `Otto Other of ${path}`;
    expect((await send(other)).status, path).toBe(303);
    expect(await leadsOf(other), path).toHaveLength(1);
  }
});

test("without script, a service page's form comes back with its errors and the input", async () => {
  const empty = { customerName: "", customerPhone: "", customerAddress: "" };
  const response = await post("/service/hedge-trimming", { ...empty, serviceNeed: "too short" });
  expect(response.status).toBe(400);
  const html = await response.text();
  for (const text of [...SERVICE_ERRORS, ">too short</textarea>"]) expect(html).toContain(text);
});

test("a form's page answers its island with JSON: the errors without passwords, or the next page and its cookies", async () => {
  const asIsland = { Accept: "application/json" };
  const wrong = await post("/login", { username: "unknown-person", password: "not it" }, asIsland);
  expect(wrong.status).toBe(401);
  expect(await wrong.json()).toEqual({
    values: { submissionId: "", username: "unknown-person" },
    errors: {},
    failure: "Invalid username or password",
  });
  const unclear = { ...contact("Ida Island"), customerAddress: "12 Banksia St parramata" };
  const asked = await post("/service/lawn-mowing", unclear, asIsland);
  expect(asked.status).toBe(400);
  expect(await asked.json()).toMatchObject({
    errors: { customerAddress: UNCLEAR_SUBURB, serviceNeed: "Please describe what you need" },
    suburbs: [{ name: "Parramatta", postcode: "2150" }],
  });
  const sent = await post("/location/leichhardt", POSTED_FORMS["/location/leichhardt"]!("Ida"), asIsland);
  expect(sent.status).toBe(200);
  expect(await sent.json()).toEqual({ to: "/success" });
  expect(sent.headers.getSetCookie()).toEqual([expect.stringMatching(/^sent=.*Path=\/success/)]);
});

/** Posts an incomplete form. Returns the submission ID in the response. */
async function readUnfinishedId(): Promise<string> {
  const response = await post("/service/lawn-mowing", { customerName: "A" });
  expect(response.status).toBe(400);
  return /name="submissionId" value="([\w-]+)"/.exec(await response.text())![1]!;
}

test("two visitors who send the same incomplete form get different IDs", async () => {
  expect(await readUnfinishedId()).not.toBe(await readUnfinishedId());
});

test("each service page sends its own service and extras", async () => {
  const extras = {
    "lawn-mowing": ["lawn_mowing", []],
    "garden-cleanup": ["garden_cleanup", ["weeding", "mulching"]],
    "yard-cleanup": ["yard_cleanup", ["blowing", "weeding"]],
    "outdoor-cleaning": ["green_waste_removal", []],
    "pressure-washing": ["pressure_washing", []],
    "hedge-trimming": ["hedge_trimming", ["edging"]],
  } as const;
  const pages = SERVICE_LIST.map(({ href }) => href);
  expect(
    Object.keys(extras)
      .map((slug) => `/service/${slug}`)
      .toSorted(),
  ).toEqual(pages.toSorted());
  for (const [slug, [service, additionalServices]] of Object.entries(extras)) {
    const values = { ...contact(`Sue ${slug}`), serviceNeed: `Some work for ${slug}` };
    expect((await post(`/service/${slug}`, values)).headers.get("Location"), slug).toBe("/success");
    expect(await leadsOf(`Sue ${slug}`), slug).toMatchObject([
      { serviceType: [service], additionalServices },
    ]);
  }
});

test("the sticky bar appears after 300 px and stays hidden once dismissed", async () => {
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
  // Scroll listeners run within a frame of the scroll.
  await waitForPaint(page);
  expect(await bar.isVisible()).toBe(false);
});

test("sign-up keeps input typed early, offline and after a server error", async () => {
  const values = {
    firstName: "Una",
    lastName: "Login",
    username: "una-login",
    phone: "02 5550 0177",
    companyName: "Una's Lawns",
    password: "three plain words",
  };
  const page = await openWindow(fixture, PHONE_SIZE);
  const releaseScripts = await blockRequests(page, "**/assets/signup-form.island-*.js");
  await page.goto("/signup");
  await fill(page, values);
  releaseScripts();
  await waitForHydration(page);
  const send = page.getByRole("button", { name: "Create Account" });
  const failed = "Failed to create account. Please try again.";
  const alert = page.getByRole("alert").filter({ hasText: failed });
  await page.context().setOffline(true);
  await send.click();
  await alert.waitFor();
  await page.context().setOffline(false);
  await page.route("**/signup", fail, { times: 1 });
  const [response] = await Promise.all([page.waitForResponse("**/signup"), send.click()]);
  expect(response.status()).toBe(500);
  await alert.waitFor();
  for (const [name, value] of Object.entries(values)) {
    expect(await page.locator(`[name=${name}]`).inputValue(), name).toBe(value);
  }
  await page.reload();
  expect(await page.getByRole("alert").count()).toBe(0);
});
