/** One job from the request to the provider's public page: its photos with both consents, and the customer's review. */
import { eq, sql } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import { DAY_MS } from "../contract/durations.ts";
import { photoUrl } from "../contract/photos.ts";
import { pngPhoto } from "../testing/photos.ts";
import {
  expectSoon,
  fillQuote,
  openDashboard,
  openWindow,
  openWindowAs,
  OWN_PRODUCT,
  setUpFixture,
  takePicture,
  waitForHydration,
} from "../testing/product/browser-fixture.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { detail, openLead } from "../testing/product/pipeline-helpers.ts";
import { insertProfile, insertUser } from "../testing/world.ts";
import { leadPurchases, leads, messages, photos } from "../worker/platform/db/schema.ts";

const fixture = setUpFixture(OWN_PRODUCT);
const PHONE = { viewport: { width: 360, height: 740 } };
const CUSTOMER = "Greta Garden";

const file = (name: string) => ({
  name: `${name}.png`,
  mimeType: "image/png",
  buffer: Buffer.from(pngPhoto(1200, 900)),
});

/** Sends a request with two photos, on a phone. @returns the path of its page */
async function sendRequest(): Promise<string> {
  const form = await openWindow(fixture, PHONE);
  await form.goto("/get-quote");
  await waitForHydration(form);
  const address = "30 Wattle Street, Leichhardt NSW 2040";
  const contact = { name: CUSTOMER, phone: "02 5550 3030", email: "greta@example.com" };
  await fillQuote(form, { address, ...contact });
  await form.getByLabel("Add Photos").setInputFiles([file("front"), file("back")]);
  const states = form.getByRole("list", { name: "Your photos" }).locator("li > span");
  await expectSoon(() => states.allTextContents(), ["Added", "Added"]);
  await form.getByRole("button", { name: "Get My Quote" }).click();
  await form.getByRole("link", { name: "Follow your request" }).click();
  await form.getByRole("heading", { name: "Your photos" }).waitFor();
  return new URL(form.url()).pathname;
}

async function readLead() {
  const [row] = await fixture.product.db.select().from(leads).where(eq(leads.customerName, CUSTOMER));
  return row!;
}

/** Waits for a photo of the work, and returns its id. */
async function findPhotoId(kind: "before" | "after"): Promise<string> {
  const read = () => fixture.product.db.select({ id: photos.id }).from(photos).where(eq(photos.kind, kind));
  await expectSoon(async () => (await read()).length, 1);
  return (await read())[0]!.id;
}

/** Returns the status of both sizes of a photo for someone without a session. */
const strangerReads = async (id: string) =>
  Promise.all(
    (["small", "large"] as const).map(
      async (size) => (await fetch(new URL(photoUrl(id, size), fixture.product.url))).status,
    ),
  );

const PRIVATE = [404, 404];
const PUBLIC = [200, 200];

/** Presses a button that sends a form, without a script. */
async function press(page: Page, name: string) {
  await page.getByRole("button", { name, exact: true }).click();
  await page.waitForLoadState();
}

/** Scrolls to an image, which loads lazily, and waits until it shows. */
async function expectLoaded(image: Locator) {
  await image.scrollIntoViewIfNeeded();
  await expectSoon(
    () => image.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0),
    true,
  );
}

test("a request with photos is bought and done; with both consents its photos are public, beside the customer's review", async () => {
  const { db, url } = fixture.product;
  const requestPath = await sendRequest();
  await expectSoon(async () => (await readLead()).listingState, "listed");
  const { id: leadId, photoCount } = await readLead();
  expect(photoCount).toBe(2);

  const owner = await insertUser(db, { companyName: "Green Lawns", phone: "02 5550 1999" });
  await insertProfile(db, owner, { slug: "green-lawns" });
  const provider = await openWindowAs(fixture, owner.id, PHONE);
  const bought = await provider.request.post(`/api/leads/${leadId}/purchase`, {
    headers: { Origin: url },
    data: { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "02 5550 1999" },
  });
  expect(bought.status(), await bought.text()).toBe(201);
  await fixture.product.runSchedule();
  const invitation = () => db.select().from(messages).where(eq(messages.template, "review_invitation"));
  expect(await invitation(), "asked before the job is complete").toEqual([]);

  await openDashboard(provider, "?tab=leads");
  await openLead(provider, CUSTOMER);
  const stage = detail(provider).getByLabel("Stage", { exact: true });
  for (const label of ["Called", "Quote sent", "Job booked", "Job complete"]) {
    await stage.selectOption({ label });
    await expectSoon(() => stage.locator("option:checked").textContent(), label);
  }
  await detail(provider).getByLabel("Add “Before”").setInputFiles(file("before"));
  const before = await findPhotoId("before");
  await detail(provider).getByLabel("Add “After”").setInputFiles(file("after"));
  const after = await findPhotoId("after");
  const offers = detail(provider).getByRole("button", { name: "Show on Our Page" });
  await offers.nth(1).waitFor();
  expect(await strangerReads(before), "no consent").toEqual(PRIVATE);

  // The provider offers one of the two. The customer can agree to no other.
  await offers.first().click();
  await provider.getByText("Waiting for the customer to agree").waitFor();
  expect(await strangerReads(before), "the provider's consent alone").toEqual(PRIVATE);
  const customer = await openWindow(fixture, { ...PHONE, javaScriptEnabled: false });
  await customer.goto(requestPath);
  await press(customer, "I agree to show the photo “Before”");
  await customer.getByRole("button", { name: "Hide the photo “Before”" }).waitFor();
  expect(await customer.getByRole("button", { name: /“After”/ }).count()).toBe(0);
  expect(await strangerReads(before), "both consents").toEqual(PUBLIC);
  expect(await strangerReads(after), "not offered").toEqual(PRIVATE);
  const visitor = await openWindow(fixture, PHONE);
  await visitor.goto("/provider/green-lawns");
  await visitor.getByRole("img", { name: "Job 1 before, photo 1 of 1" }).waitFor();
  expect(await visitor.getByRole("img", { name: /^Job 1 after/ }).count()).toBe(0);

  await offers.first().click();
  await expectSoon(() => offers.count(), 0);
  expect(await strangerReads(after), "offered, not agreed").toEqual(PRIVATE);
  await customer.reload();
  await press(customer, "I agree to show the photo “After”");
  expect(await strangerReads(after)).toEqual(PUBLIC);

  // The service's page shows the pair too, also without a script.
  const noScript = await openWindow(fixture, { ...PHONE, javaScriptEnabled: false });
  await noScript.goto("/service/lawn-mowing");
  for (const name of ["Before: lawn mowing in Leichhardt", "After: lawn mowing in Leichhardt"])
    await expectLoaded(noScript.getByRole("img", { name }));
  await takePicture(noScript, "service-jobs");
  await expectFits(noScript, "the service's page");
  await noScript.locator('.shown-jobs a[href="/provider/green-lawns"]').click();
  await noScript.getByRole("heading", { name: "Green Lawns" }).waitFor();

  // The job is complete, so a sweep asks the customer, but a day after the sale at the earliest: as if it was tomorrow.
  await db
    .update(leadPurchases)
    .set({ reviewDueAt: sql`${leadPurchases.reviewDueAt} - ${DAY_MS}` })
    .where(eq(leadPurchases.leadId, leadId));
  await fixture.product.runSchedule();
  await expectSoon(async () => (await invitation()).map(({ recipient }) => recipient), ["greta@example.com"]);
  await customer.goto(requestPath);
  await customer.getByRole("link", { name: "Review Green Lawns" }).click();
  await customer.getByRole("radio", { name: "4 stars, good" }).check();
  await customer.getByLabel("How did it go?").fill("The hedge is straight again.");
  await press(customer, "Publish My Review");
  await customer.getByText("Thanks! Your review is published").waitFor();

  // The request's page links to the provider's.
  await customer.goto(requestPath);
  await customer.locator('a[href="/provider/green-lawns"]').click();
  await customer.getByText("The hedge is straight again.").waitFor();
  await visitor.reload();
  await visitor.getByText("4.0 out of 5 from one review").first().waitFor();
  await visitor.getByText("The hedge is straight again.").waitFor();
  await visitor.getByText("Greta, Leichhardt", { exact: false }).waitFor();
  for (const name of ["Job 1 before, photo 1 of 1", "Job 1 after, photo 1 of 1"])
    await expectLoaded(visitor.getByRole("img", { name }));
  await takePicture(visitor, "shown-job");
  await expectFits(visitor, "the provider's page");
  await expectAccessible(visitor);

  // Either side alone takes a photo down again.
  await customer.goto(requestPath);
  await press(customer, "Hide the photo “After”");
  expect(await strangerReads(after), "the customer hid it").toEqual(PRIVATE);
  await provider.getByRole("button", { name: "Take Off Our Page" }).first().click();
  await offers.first().waitFor();
  expect(await strangerReads(before), "the provider took it down").toEqual(PRIVATE);
  await visitor.reload();
  await visitor.getByText("The hedge is straight again.").waitFor();
  expect(await visitor.getByRole("img", { name: /^Job/ }).count()).toBe(0);
  await noScript.goto("/service/lawn-mowing");
  await noScript.locator("#prices").waitFor();
  expect(await noScript.locator("#jobs").count()).toBe(0);
});
