/** All requests of an email address, from the form that asks for a link to each request's page. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

import { decode } from "../testing/page-text.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { listLead } from "../testing/product/card-fixture.ts";
import { openWindow, openWindowAs, setUpFixture, takePicture } from "../testing/product/browser-fixture.ts";
import { serveStandIn } from "../testing/stand-ins/stand-in-server.ts";
import { insertPendingLead, insertUser } from "../testing/world.ts";
import { leadPurchases, leads, requestLinks } from "../worker/tables.ts";
import { createRequestLink } from "../worker/leads/request-link-store.ts";

const sent: { to: string; text: string }[] = [];
const mail = await serveStandIn(async (request) => {
  sent.push(await request.json());
  return new Response();
});
afterAll(() => mail.stop());
const fixture = setUpFixture({ MESSAGE_STAND_IN: mail.url, EMAIL_FROM: "hello@example.com" });

/** Asks for a link on the page, and returns its path from the email. */
async function askForLink(page: Page, email: string): Promise<string> {
  await page.goto("/my-requests");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send Me a Link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await expect.poll(() => sent.some(({ to }) => to === email)).toBe(true);
  const { text } = sent.find(({ to }) => to === email)!;
  return /\/my-requests\/[\w-]{43}/.exec(text)![0];
}

test("row 55: without script, a link opens the list once, and the list opens each request; no page is stored or indexed", async () => {
  const { db } = fixture.product;
  const customerEmail = "list@example.com";
  await insertPendingLead(db, { customerEmail });
  await insertPendingLead(db, { customerEmail, serviceType: ["hedge_trimming"] });
  const page = await openWindow(fixture, { javaScriptEnabled: false });
  const path = await askForLink(page, customerEmail);
  // A mail scanner opens the link first.
  for (const address of ["/my-requests", path, path, path]) {
    const response = await fetch(`${fixture.product.url}${address}`);
    expect(response.headers.get("Cache-Control"), address).toBe("no-store");
    expect(await response.text(), address).toContain('<meta name="robots" content="noindex"');
  }
  await page.goto(path);
  const linksBefore = (await db.select().from(requestLinks)).length;
  await page.getByRole("button", { name: "Show My Requests" }).click();
  await page.getByRole("heading", { name: "Hedge and tree trimming in Leichhardt 2040" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/my-requests");
  await page.reload();
  expect(await page.locator(".request-list li").count()).toBe(2);
  expect((await db.select().from(requestLinks)).length, "looking creates no link").toBe(linksBefore);
  await page.getByRole("button", { name: "Open Hedge and tree trimming" }).click();
  await page.getByText("We’ve got your request").waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Lawn Mowing in Leichhardt 2040" }).waitFor();
  await page.goto(path);
  await page.getByRole("button", { name: "Show My Requests" }).click();
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  // Another browser needs its own link.
  expect(await (await fetch(`${fixture.product.url}/my-requests`)).text()).toContain("Send Me a Link");
});

/** Asks for a link as a browser without script does. Returns the status and the page. */
async function postEmail(email: string): Promise<[number, string]> {
  const headers = { Origin: fixture.product.url };
  const body = new URLSearchParams({ email });
  const answer = await fetch(`${fixture.product.url}/my-requests`, { method: "POST", headers, body });
  return [answer.status, await answer.text()];
}

test("an address without requests gets the same page, and a wrong one an error", async () => {
  expect(await postEmail("unknown@example.com")).toEqual([200, expect.stringContaining("Check your email")]);
  expect(await postEmail("unknown@example")).toEqual([
    400,
    expect.stringMatching(/role="alert".*Please enter your email address/s),
  ]);
  expect(sent.filter(({ to }) => to.startsWith("unknown"))).toEqual([]);
});

test("a signed-in customer opens their requests from the header, and a provider's dashboard stays away", async () => {
  const { db } = fixture.product;
  const email = "kim.customer@example.com";
  const customer = await insertUser(db, { userType: "customer", email });
  const { id } = await insertPendingLead(db, { customerEmail: email });
  await db.update(leads).set({ customerId: customer.id }).where(eq(leads.id, id));
  const page = await openWindowAs(fixture, customer.id);
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Your Requests" }).click();
  await page.getByRole("button", { name: "Open Lawn Mowing" }).click();
  await page.getByText("We’ve got your request").waitFor();
  await page.getByRole("link", { name: "See all your requests" }).click();
  await page.getByRole("heading", { name: "Lawn Mowing in Leichhardt 2040" }).waitFor();
  expect(await page.locator(".request-list li").count()).toBe(1);
  await page.getByText("Looking for another request?").click();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await takePicture(page, `list-${width}`);
    await expectFits(page, `the list at ${width}`);
    await expectAccessible(page, `the list at ${width}`);
  }
  const as = await fixture.product.callerFor((await insertUser(db)).id);
  expect(await (await as("GET", "/my-requests")).text()).toContain("Send Me a Link");
});

test("after a call the customer can ask someone else, with the services and the suburb filled in", async () => {
  const { db } = fixture.product;
  const id = await listLead(fixture, "Two jobs", { serviceType: ["lawn_mowing", "hedge_trimming"] });
  const provider = await insertUser(db, { isVerified: true });
  const as = await fixture.product.callerFor(provider.id);
  const details = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "02 5550 1999" };
  expect((await as("POST", `/api/leads/${id}/purchase`, details)).status).toBe(201);
  const path = `/request/${await createRequestLink(db, id, Date.now())}`;
  const read = async (address: string) => (await fetch(new URL(address, fixture.product.url))).text();
  const findLink = async () => /<a [^>]*href="([^"]*)"[^>]*>Ask someone else</.exec(await read(path))?.[1];
  expect(await findLink()).toBeUndefined();
  await db.update(leadPurchases).set({ calledAt: Date.now() }).where(eq(leadPurchases.leadId, id));
  const form = await read(decode((await findLink())!));
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input);
  expect(inputs.find((input) => input.includes('name="customerAddress"'))).toContain(
    'value="Leichhardt 2040"',
  );
  const chosen = inputs.filter((input) => input.includes('name="serviceType"') && / checked=/.test(input));
  expect(chosen.map((input) => /value="(\w+)"/.exec(input)?.[1])).toEqual(["lawn_mowing", "hedge_trimming"]);
});
