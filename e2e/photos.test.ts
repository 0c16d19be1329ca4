/** A request with photos, from the form to the buyer and back to the customer's page. */
import { and, eq, sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import {
  expectSoon,
  fillQuote,
  openDashboard,
  openWindow,
  openWindowAs,
  setUpFixture,
  takePicture,
  waitForHydration,
} from "../testing/product/browser-fixture.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { openLead } from "../testing/product/pipeline-helpers.ts";
import { pngPhoto } from "../testing/photos.ts";
import { insertUser } from "../testing/world.ts";
import { leads, photos } from "../worker/tables.ts";

const fixture = setUpFixture();
const PHONE = { viewport: { width: 360, height: 740 } };

const file = (name: string, width = 1200) => ({
  name: `${name}.png`,
  mimeType: "image/png",
  buffer: Buffer.from(pngPhoto(width, 900)),
});

async function leadOf(name: string) {
  const rows = await fixture.product.db.select().from(leads).where(eq(leads.customerName, name));
  return rows[0]!;
}

const picker = (page: Page) => page.getByLabel("Add Photos");
const list = (page: Page) => page.getByRole("list", { name: "Your photos" });
const states = (page: Page) => list(page).locator("li > span").allTextContents();
const submit = (page: Page) => page.getByRole("button", { name: "Get My Quote" }).click();

/** Opens the last step of the quote form on a phone. */
async function openForm(name: string, street: string): Promise<Page> {
  const page = await openWindow(fixture, PHONE);
  await page.goto("/get-quote");
  await waitForHydration(page);
  const address = `${street}, Leichhardt NSW 2040`;
  await fillQuote(page, { address, name, phone: `02 5550 ${street.slice(0, 4)}` });
  return page;
}

/** Returns whether a photo in the page has loaded. */
const isLoaded = (page: Page, name: string) =>
  page
    .getByRole("img", { name, exact: true })
    .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);

test("a request with two photos is bought, and the buyer sees them; the customer deletes one and agrees to show the work", async () => {
  const form = await openForm("Phoebe Photo", "1701 Photo Street");
  const scripts: string[] = [];
  form.on("request", (request) => scripts.push(request.url()));
  expect(scripts.some((url) => url.includes("photo-list"))).toBe(false);
  await picker(form).setInputFiles([file("front"), file("back", 3000)]);
  await expectSoon(() => states(form), ["Added", "Added"]);
  expect(scripts.some((url) => url.includes("photo-list"))).toBe(true);
  await takePicture(form, "photos-form");
  await expectFits(form, "the form");
  await expectAccessible(form);
  await submit(form);
  await form.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
  expect((await leadOf("Phoebe Photo")).photoCount).toBe(2);
  await expectSoon(async () => (await leadOf("Phoebe Photo")).listingState, "listed");
  await form.getByRole("link", { name: "Follow your request" }).click();
  await form.getByRole("heading", { name: "Your photos" }).waitFor();
  const path = new URL(form.url()).pathname;

  const owner = await insertUser(fixture.product.db);
  const provider = await openWindowAs(fixture, owner.id, PHONE);
  await openDashboard(provider);
  await provider.getByText("2 photos").waitFor();
  const { id } = await leadOf("Phoebe Photo");
  const bought = await provider.request.post(`/api/leads/${id}/purchase`, {
    headers: { Origin: fixture.product.url },
    data: { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" },
  });
  expect(bought.status(), await bought.text()).toBe(201);
  await openDashboard(provider, "?tab=leads");
  await openLead(provider, "Phoebe Photo");
  await expectSoon(() => isLoaded(provider, "The customer’s photo 2"), true);
  const [sent] = await Promise.all([
    provider.waitForRequest("**/api/photos/purchases/*/after"),
    provider.getByLabel("Add “After”").setInputFiles(file("after")),
  ]);
  expect(sent.headers()["content-type"], "reduced in the browser, without its metadata").toBe("image/jpeg");
  await provider.getByRole("button", { name: "Show on Our Page" }).click();
  await provider.getByText("Waiting for the customer to agree").waitFor();
  await takePicture(provider, "photos-buyer");
  await expectFits(provider, "the lead's sheet");
  await expectAccessible(provider);

  const customer = await openWindow(fixture, { ...PHONE, javaScriptEnabled: false });
  await customer.goto(path);
  const removals = customer.getByRole("button", { name: /^Delete photo/ });
  await removals.first().click();
  await customer.getByRole("heading", { name: "Delete this photo?" }).waitFor();
  await takePicture(customer, "photos-customer-delete");
  await expectFits(customer, "the question before a photo is deleted");
  expect((await leadOf("Phoebe Photo")).photoCount, "a question comes first").toBe(2);
  await customer.getByRole("button", { name: "Yes, delete photo 1" }).click();
  await expectSoon(() => removals.count(), 1);
  expect((await leadOf("Phoebe Photo")).photoCount).toBe(1);
  await customer.getByRole("button", { name: "Agree to show the photo “After”" }).click();
  await customer.getByRole("button", { name: "Hide the photo “After”" }).waitFor();
  // The provider's open window shows it without a reload.
  await provider.getByText("On your page", { exact: true }).waitFor();
  await expectSoon(() => isLoaded(customer, "After"), true);
  await takePicture(customer, "photos-customer");
  await expectFits(customer, "the request's page");
  // axe needs a script.
  const reader = await openWindow(fixture, PHONE);
  await reader.goto(path);
  await expectAccessible(reader);
  const [work] = await fixture.product.db
    .select()
    .from(photos)
    .where(
      and(
        eq(photos.kind, "after"),
        sql`${photos.purchaseId} IN (SELECT id FROM lead_purchases WHERE buyer_id = ${owner.id})`,
      ),
    );
  expect(work?.customerAgreedAt).not.toBeNull();
  // Either side takes it off the page again.
  await customer.getByRole("button", { name: "Hide the photo “After”" }).click();
  await customer.getByRole("button", { name: "Agree to show the photo “After”" }).click();
  await provider.getByRole("button", { name: "Take Off Our Page" }).click();
  await provider.getByRole("button", { name: "Show on Our Page" }).waitFor();

  // A question comes before the deletion, which is permanent.
  const owned = () => fixture.product.db.$count(photos, eq(photos.businessId, owner.id));
  const question = provider.getByRole("dialog", { name: "Delete this photo?" });
  await provider.getByRole("button", { name: "Delete the photo “After”" }).click();
  await takePicture(provider, "photos-delete");
  await question.getByRole("button", { name: "Keep" }).click();
  await question.waitFor({ state: "detached" });
  expect(await owned()).toBe(1);
  await provider.getByRole("button", { name: "Delete the photo “After”" }).click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await provider.getByRole("img", { name: "After", exact: true }).waitFor({ state: "detached" });
  expect(await owned()).toBe(0);
});

test("row 78: without a connection the request is sent, and its photo goes on after two reloads", async () => {
  const form = await openForm("Slow Link", "1702 Photo Street");
  await form.route("**/api/photos", (route) => route.abort());
  await picker(form).setInputFiles(file("front"));
  await expectSoon(() => states(form), ["Not sent yet. We’ll keep trying."]);
  await form.reload();
  await expectSoon(() => states(form), ["Not sent yet. We’ll keep trying."]);
  await submit(form);
  await form.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
  expect((await leadOf("Slow Link")).photoCount).toBe(0);
  await expectSoon(() => states(form), ["Not sent yet. We’ll keep trying."]);
  await takePicture(form, "photos-thanks");
  await expectFits(form, "the thank-you page");
  await form.unroute("**/api/photos");
  await form.reload();
  await expectSoon(() => states(form), ["Added"]);
  expect((await leadOf("Slow Link")).photoCount).toBe(1);
});

test("all picked photos are listed at once, and none is lost if the request is sent before they are reduced", async () => {
  const form = await openForm("Hasty Sender", "1704 Photo Street");
  await form.evaluate(() => {
    globalThis.createImageBitmap = () => new Promise(() => {});
  });
  await picker(form).setInputFiles([file("front"), file("back"), file("side")]);
  await expectSoon(() => states(form), ["Waiting…", "Waiting…", "Waiting…"]);
  await submit(form);
  await form.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
  await expectSoon(() => states(form), ["Added", "Added", "Added"]);
  expect((await leadOf("Hasty Sender")).photoCount).toBe(3);
});

test("a file that is no photo gets a sentence, and a fifth photo another", async () => {
  const form = await openForm("Fifth Photo", "1703 Photo Street");
  const text = { name: "notes.jpg", mimeType: "image/jpeg", buffer: Buffer.from("not a photo") };
  await picker(form).setInputFiles([text]);
  await form.getByText("We can’t read that photo.").waitFor();
  await picker(form).setInputFiles([1, 2, 3, 4, 5].map((n) => file(`photo-${n}`, 200)));
  await form.getByText("You can add up to 4 photos.").waitFor();
  await takePicture(form, "photos-refused");
  await expectFits(form, "the form");
  await expectAccessible(form);
  await expectSoon(() => states(form), ["Added", "Added", "Added", "Added"]);
  await form.getByRole("button", { name: "Remove photo 2" }).click();
  await submit(form);
  await form.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
  // The page sends the removal and the request at the same time.
  await expectSoon(async () => (await leadOf("Fifth Photo")).photoCount, 3);
  await picker(form).setInputFiles(file("later"));
  await expectSoon(async () => (await leadOf("Fifth Photo")).photoCount, 4);
});
