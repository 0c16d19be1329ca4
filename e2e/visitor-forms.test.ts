/** The site's short forms in a browser: with islands, without script, and if sending fails. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { CONSENT_WORDING } from "../contract/consent.ts";
import { addDays, sydneyDay } from "../contract/sydney-time.ts";
import { bookings, leads } from "../worker/platform/db/schema.ts";
import {
  expectSoon,
  blockRequests,
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

test("every form and the footer link the page that says how it works and what it costs", async () => {
  for (const path of ["/", "/get-quote", "/services", "/service/lawn-mowing", "/location/parramatta"]) {
    const html = await (await fetch(fixture.product.url + path)).text();
    const links = html.split("<footer").map((part) => part.includes('href="/how-it-works"'));
    expect(links, path).toEqual(path === "/get-quote" ? [true] : [true, true]);
  }
});

/** Each kind of short form, filled in for a given name. */
const FORMS = [
  {
    kind: "a service page",
    path: "/service/lawn-mowing",
    api: "**/api/leads",
    island: "**/assets/simple-quote-form.island-*.js",
    button: "Get Free Quote",
    early: "customerName",
    failed: "Failed to submit service request. Please try again.",
    complete: (page: Page, name: string) =>
      fill(page, { ...contact(name), serviceNeed: "Mow the front and the back" }),
    posted: (name: string) => ({ ...contact(name), serviceNeed: "Mow the front and the back" }),
  },
  {
    kind: "the services page",
    path: "/services",
    api: "**/api/leads",
    island: "**/assets/simple-quote-form.island-*.js",
    button: "Get Free Quote",
    early: "customerName",
    failed: "Failed to submit service request. Please try again.",
    complete: async (page: Page, name: string) => {
      await fill(page, contact(name));
      await page.getByLabel("Yard cleanup").check();
    },
    posted: (name: string) => ({ ...contact(name), servicesWanted: "yard_cleanup" }),
  },
  {
    kind: "a suburb's page",
    path: "/location/leichhardt",
    api: "**/api/bookings",
    island: "**/assets/booking-form.island-*.js",
    button: "Book Now",
    early: "name",
    failed: "Failed to submit booking. Please try again.",
    complete: async (page: Page, name: string) => {
      await fill(page, { name, phone: "02 5550 0123", email: "anna@example.com" });
      await page.locator("[name=serviceType]").selectOption("lawn_mowing");
      await page.locator("[name=propertySize]").selectOption("medium");
    },
    posted: (name: string) => ({
      name,
      phone: "02 5550 0123",
      email: "anna@example.com",
      vehicle: "",
      serviceType: "lawn_mowing",
      propertySize: "medium",
      suburbId: "sub_leichhardt",
    }),
  },
] as const;

/** One form of each island. */
const ISLANDS = FORMS.filter(({ path }) => path !== "/services");

test.each(ISLANDS)("$kind keeps early input, survives failures, and sends one request", async (form) => {
  const name = `Una of ${form.kind}`;
  const page = await openWindow(fixture, PHONE_SIZE);
  const releaseScripts = await blockRequests(page, form.island);
  await page.goto(form.path);
  await fill(page, { [form.early]: name });
  releaseScripts();
  await waitForHydration(page);
  expect(await page.locator(`[name=${form.early}]`).inputValue()).toBe(name);
  await form.complete(page, name);

  const send = page.getByRole("button", { name: form.button });
  const toast = page.getByRole("alert").filter({ hasText: form.failed });
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

  await page.route(form.api, (route) => route.fulfill({ status: 500, body: "Oh dear" }), { times: 1 });
  await send.click();
  await toast.waitFor();
  await page.keyboard.press("F8");
  expect(await toast.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  expect(await toast.isVisible()).toBe(false);
  expect(await page.locator(`[name=${form.early}]`).inputValue()).toBe(name);

  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await send.dblclick();
  await expectThanks(page);
  expect(sent).toHaveLength(1);
  await page.goBack();
  await page.getByRole("button", { name: form.button }).waitFor();
  await page.goForward();
  await page.reload();
  await expectThanks(page);
  expect(await leadsOf(name)).toHaveLength(1);
});

/** Posts a form as a browser does before any script loads. */
const post = (path: string, values: Record<string, string>) =>
  fetch(fixture.product.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: fixture.product.url },
    // The page is cached for all visitors, so the first post has no submission ID.
    body: new URLSearchParams({ submissionId: "", ...values }),
  });

test.each(FORMS)("$kind posted twice at once before any script loads creates one lead", async (form) => {
  const send = (name: string) => post(form.path, form.posted(name));
  const twice = `Dora Double of ${form.kind}`;
  const answers = await Promise.all([send(twice), send(twice), send(twice)]);
  expect(answers.map((response) => [response.status, response.headers.get("Location")])).toEqual(
    Array.from({ length: 3 }, () => [303, "/success"]),
  );
  expect(await leadsOf(twice)).toHaveLength(1);
  const other = `Otto Other of ${form.kind}`;
  expect((await send(other)).status).toBe(303);
  expect(await leadsOf(other)).toHaveLength(1);
});

/** Posts an incomplete form. Returns the submission ID in the response. */
async function readUnfinishedId(): Promise<string> {
  const response = await fetch(`${fixture.product.url}/service/lawn-mowing`, {
    method: "POST",
    headers: { Origin: fixture.product.url },
    body: new URLSearchParams({ submissionId: "", customerName: "A" }),
  });
  expect(response.status).toBe(400);
  return /name="submissionId" value="([\w-]+)"/.exec(await response.text())![1]!;
}

test("while Turnstile is disabled, pages contain nothing of it", async () => {
  for (const path of [...FORMS.map((form) => form.path), "/get-quote", "/privacy-policy"]) {
    const response = await fetch(fixture.product.url + path);
    const policy = response.headers.get("Content-Security-Policy");
    expect(policy, path).toContain("frame-src 'none'");
    expect(`${policy} ${await response.text()}`, path).not.toMatch(/turnstile|challenge/i);
  }
});

test("two visitors who send the same incomplete form get different IDs", async () => {
  expect(await readUnfinishedId()).not.toBe(await readUnfinishedId());
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with script" : "without script";

  test(`a service page's form shows its errors and keeps the input, ${how}`, async () => {
    const page = await open("/service/hedge-trimming", { javaScriptEnabled });
    await fill(page, { serviceNeed: "too short" });
    await page.getByRole("button", { name: "Get Free Quote" }).click();
    for (const text of [
      "Name must be at least 2 characters",
      "Phone number must be at least 10 digits",
      "Please provide a valid address",
      "Please describe what you need",
    ]) {
      await page.getByText(text).waitFor();
    }
    expect(await page.locator("[name=serviceNeed]").inputValue()).toBe("too short");
    const name = `Hedda ${how}`;
    await fill(page, { ...contact(name), serviceNeed: "The hedge along the drive" });
    await page.getByRole("button", { name: "Get Free Quote" }).click();
    await expectThanks(page);
    expect(await leadsOf(name)).toMatchObject([
      {
        serviceType: ["hedge_trimming"],
        additionalServices: ["edging"],
        specificRequests: "The hedge along the drive",
        budgetConcern: "somewhat_important",
        consentWording: CONSENT_WORDING,
      },
    ]);
  });

  test(`a booking asks for a vehicle only for an inspection, and is stored, ${how}`, async () => {
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
    await fill(page, {
      vehicle: "Toyota Corolla 2015",
      name: `Ivy ${how}`,
      phone: "02 5550 0123",
      email: "anna@example.com",
    });
    expect(await form.locator("[name=propertySize]").isVisible()).toBe(false);
    await send.click();
    await expectThanks(page);
    await page.getByText("We’ll call you to set a time for the inspection.").waitFor();
    expect(await page.getByText("find a provider").count()).toBe(0);
    const isOurs = eq(bookings.name, `Ivy ${how}`);
    const [booking] = await fixture.product.db.select().from(bookings).where(isOurs);
    const requestText = "Pink Slip Inspection in Leichhardt";
    await expectSoon(() => recapOf(page), ["02 5550 0123", requestText, booking!.reference]);
    expect(booking).toMatchObject({
      vehicle: "Toyota Corolla 2015",
      suburbId: "sub_leichhardt",
      leadId: null,
    });
  });

  test(`the services page's form sends the ticked services, ${how}`, async () => {
    const page = await open("/services", { javaScriptEnabled });
    const name = `Sally ${how}`;
    await fill(page, contact(name));
    await page.getByRole("button", { name: "Get Free Quote" }).click();
    await page.getByText("Please select at least one service").waitFor();
    await page.getByLabel("Garden cleanup").check();
    await page.getByLabel("Pressure washing").check();
    await page.getByRole("button", { name: "Get Free Quote" }).click();
    await expectThanks(page);
    expect(await leadsOf(name)).toMatchObject([
      {
        serviceType: ["garden_cleanup", "pressure_washing"],
        specificRequests: "Services requested: Garden cleanup, Pressure washing",
      },
    ]);
  });
}

test("each of the six service pages sends its own service and extras", async () => {
  const extras = {
    "lawn-mowing": ["lawn_mowing", []],
    "garden-cleanup": ["garden_cleanup", ["weeding", "mulching"]],
    "yard-cleanup": ["yard_cleanup", ["blowing", "weeding"]],
    "outdoor-cleaning": ["green_waste_removal", []],
    "pressure-washing": ["pressure_washing", []],
    "hedge-trimming": ["hedge_trimming", ["edging"]],
  } as const;
  for (const [slug, [service, additionalServices]] of Object.entries(extras)) {
    const values = { ...contact(`Sue ${slug}`), serviceNeed: `Some work for ${slug}` };
    expect((await post(`/service/${slug}`, values)).headers.get("Location"), slug).toBe("/success");
    expect(await leadsOf(`Sue ${slug}`), slug).toMatchObject([
      {
        serviceType: [service],
        additionalServices,
        customerEmail: null,
        propertyType: "residential",
        propertySize: "medium",
        urgency: "within_week",
        frequency: "one_off",
        budgetConcern: "somewhat_important",
        previousExperience: "first_time",
        lawnCondition: "average",
        hasSlopes: false,
        hasPets: false,
        preferredTime: "anytime",
      },
    ]);
  }
});

test("a garden booking becomes a lead in its suburb", async () => {
  const page = await open("/location/leichhardt");
  await FORMS[2].complete(page, "Gary Garden");
  await page.locator("[name=preferredDate]").fill(addDays(sydneyDay(Date.now()), 14));
  await page.getByRole("button", { name: "Book Now" }).click();
  await expectThanks(page);
  const booked = await leadsOf("Gary Garden");
  const reference = booked[0]!.reference;
  await expectSoon(() => recapOf(page), ["02 5550 0123", "Lawn mowing in Leichhardt", reference]);
  expect(booked).toMatchObject([
    {
      source: "booking",
      suburbName: "Leichhardt",
      serviceType: ["lawn_mowing"],
      specificRequests: expect.stringMatching(/^Preferred date: \d+ [A-Z][a-z]+ \d{4}$/),
    },
  ]);
});

test("an error disappears as soon as its field is valid, and the others stay", async () => {
  const page = await open("/location/leichhardt");
  await page.getByRole("button", { name: "Book Now" }).focus();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Book Now" }).click();
  await page.getByText("Name must be at least 2 characters").waitFor();
  await expectSoon(() => page.evaluate(() => document.activeElement?.id), "name");
  await fill(page, { name: "Anna" });
  expect(await page.getByText("Name must be at least 2 characters").count()).toBe(0);
  expect(await page.getByText("Please enter a valid email address").count()).toBe(1);
});

test("a likely typing error in an email address is offered for correction, and never blocks the form", async () => {
  for (const path of ["/location/leichhardt", "/signup"]) {
    const page = await open(path);
    const field = page.getByLabel("Email");
    await field.fill("anna@gmial.com");
    const offer = page.getByText("Did you mean anna@gmail.com?");
    await offer.waitFor();
    expect(await field.getAttribute("aria-invalid")).toBeNull();
    await offer.getByRole("button").click();
    expect(await field.inputValue()).toBe("anna@gmail.com");
    await offer.waitFor({ state: "detached" });
  }
  const page = await open("/location/leichhardt");
  await FORMS[2].complete(page, "Unswayed Una");
  await fill(page, { email: "una@bigpnd.com" });
  await page.getByText("Did you mean una@bigpond.com?").waitFor();
  await page.getByRole("button", { name: "Book Now" }).click();
  await expectThanks(page);
  expect(await leadsOf("Unswayed Una")).toMatchObject([{ customerEmail: "una@bigpnd.com" }]);
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

test("locations can be found, filtered and sorted without script", async () => {
  const page = await open("/locations?search=manly", { javaScriptEnabled: false });
  expect(await page.getByLabel("Suburb, postcode or council").inputValue()).toBe("manly");
  await page.getByRole("heading", { name: "1 matching location" }).waitFor();
  await page.getByLabel("Suburb, postcode or council").fill("");
  await page.getByText("State and council").click();
  await page.getByLabel("Council", { exact: true }).selectOption("Inner West Council");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("heading", { name: /^\d+ matching locations$/ }).waitFor();
  expect(await page.getByRole("heading", { level: 3 }).first().textContent()).toBe("Inner West Council");
  await page.getByRole("link", { name: "Alphabetical" }).click();
  expect(new URL(page.url()).searchParams.get("council")).toBe("Inner West Council");
});

/** The two account forms, and their messages if the server does not respond. */
const ACCOUNT_FORMS = [
  {
    path: "/login",
    api: "**/api/auth/login",
    island: "**/assets/login-form.island-*.js",
    button: "Sign In",
    failed: "Login failed",
    values: { username: "una-login", password: "three plain words" },
  },
  {
    path: "/signup",
    api: "**/api/auth/provider/signup",
    island: "**/assets/signup-form.island-*.js",
    button: "Create Account",
    failed: "Failed to create account. Please try again.",
    values: {
      firstName: "Una",
      lastName: "Login",
      username: "una-login",
      phone: "02 5550 0177",
      companyName: "Una's Lawns",
      password: "three plain words",
    },
  },
] as const;

test.each(ACCOUNT_FORMS)("$path keeps input typed early, offline and after a server error", async (form) => {
  const page = await openWindow(fixture, PHONE_SIZE);
  const releaseScripts = await blockRequests(page, form.island);
  await page.goto(form.path);
  await fill(page, form.values);
  releaseScripts();
  await waitForHydration(page);
  const send = page.getByRole("button", { name: form.button });
  const alert = page.getByRole("alert").filter({ hasText: form.failed });
  await page.context().setOffline(true);
  await send.click();
  await alert.waitFor();
  await page.context().setOffline(false);
  await page.route(form.api, (route) => route.fulfill({ status: 500, body: "Oh dear" }), { times: 1 });
  const [response] = await Promise.all([page.waitForResponse(form.api), send.click()]);
  expect(response.status()).toBe(500);
  await alert.waitFor();
  for (const [name, value] of Object.entries(form.values)) {
    expect(await page.locator(`[name=${name}]`).inputValue(), name).toBe(value);
  }
  await page.reload();
  expect(await page.getByRole("alert").count()).toBe(0);
});

/** What a screen reader announces for each form, without the options of its groups. */
const NAMES = {
  "/get-quote": [
    "group: Step 1 of 3: Property Info",
    "combobox: Property address",
    "radiogroup: Property type",
    "radiogroup: Property size",
    "group: Tell us more",
    "combobox: Grass type",
    "combobox: Lawn condition",
    "combobox: Access to the lawn",
    "checkbox: Sloping block",
    "checkbox: Pets at home",
    "button: Continue",
  ],
  "/service/lawn-mowing": [
    "textbox: Name",
    "textbox: Phone",
    "combobox: Address",
    "textbox: What needs doing?",
    "button: Get Free Quote",
  ],
  "/location/leichhardt": [
    "textbox: Name",
    "textbox: Phone",
    "textbox: Email",
    "combobox: Service type",
    "combobox: Property size",
    "textbox: Preferred date (optional)",
    "textbox: Message (optional)",
    "button: Book Now",
  ],
  "/login": ["textbox: Username", "textbox: Password", "button: Sign In"],
};

test("every form control has an accessible name", async () => {
  const page = await openWindow(fixture, PHONE_SIZE);
  for (const [path, names] of Object.entries(NAMES)) {
    await page.goto(path);
    await page.locator("[data-island] input:visible").first().focus();
    await waitForHydration(page);
    if (path === "/get-quote") await page.getByText("Tell us more").click();
    const controls = async () => {
      const read = await page.locator("[data-island] form").ariaSnapshot();
      return [...read.matchAll(/^\s*- '?(\w+)(?: "(.*?)")?[^\n]*$/gm)]
        .filter(([, role]) => /^(?:textbox|combobox|checkbox|group|radiogroup|button)$/.test(role!))
        .map(([, role, name]) => `${role}: ${name ?? "?"}`);
    };
    // An address field becomes a combobox shortly after its island hydrates.
    await expect.poll(controls, { message: path }).toEqual(names);
  }
});
