/** A review from the invitation to the shown reply, on phones: the customer's without a script, and the provider's. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import {
  expectSoon,
  openWindow,
  openWindowAs,
  setUpFixture,
  takePicture,
} from "../testing/product/browser-fixture.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { sendRequest } from "../testing/product/send-request.ts";
import { insertProfile, insertUser } from "../testing/world.ts";
import { leadPurchases, leads, reviews } from "../worker/tables.ts";

const fixture = setUpFixture();
const PHONE = { viewport: { width: 360, height: 740 } };

test("an invited customer reviews the provider without a script, and reads the reply", async () => {
  const { db, url } = fixture.product;
  const headers = { Origin: url };
  const { id, token } = await sendRequest(fixture, {
    customerName: "Rita Rater",
    customerPhone: "02 5552 3101",
    customerEmail: "garden@example.com",
    customerAddress: "31 Marion Street, Leichhardt NSW 2040",
    specificRequests: null,
  });
  await expectSoon(
    async () => (await db.select().from(leads).where(eq(leads.id, id)))[0]!.listingState,
    "listed",
  );
  const user = await insertUser(db, { isVerified: true, companyName: "Green Lawns", phone: "02 5550 1999" });
  const { slug } = await insertProfile(db, user);
  const phone = await openWindowAs(fixture, user.id, PHONE);
  await phone.goto("/my-reviews");
  await phone.getByText("No reviews yet.").waitFor();
  await expectAccessible(phone);
  const details = { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "02 5550 1999" };
  const bought = await phone.request.post(`/api/leads/${id}/purchase`, { data: details, headers });
  expect(bought.status(), await bought.text()).toBe(201);

  const customer = await openWindow(fixture, { ...PHONE, javaScriptEnabled: false });
  await customer.goto(`/review/${token}`);
  await customer.getByRole("heading", { name: "There’s no review to write here" }).waitFor();
  // The sweep of the next minute asks the customer.
  await db.update(leadPurchases).set({ reviewDueAt: 1 }).where(eq(leadPurchases.leadId, id));
  await fixture.product.runSchedule();
  const stored = async () => (await db.select().from(reviews).where(eq(reviews.leadId, id)))[0];
  await expectSoon(async () => (await stored()) !== undefined, true);

  await customer.goto(`/request/${token}`);
  const ownPage = customer.getByRole("link", { name: "See Green Lawns’s page" });
  expect(await ownPage.getAttribute("href")).toBe(`/provider/${slug}`);
  await customer.getByRole("link", { name: "Review Green Lawns" }).click();
  await customer.getByRole("heading", { name: "How was Green Lawns?" }).waitFor();
  await takePicture(customer, "review-form");
  await expectFits(customer, "the review's form");
  // axe needs a script.
  const reader = await openWindow(fixture, PHONE);
  await reader.goto(`/review/${token}`);
  await expectAccessible(reader);
  await customer.getByLabel("How did it go?").fill("Neat edges. Ring me on 0412 345 678 <b>");
  await customer.getByRole("button", { name: "Publish My Review" }).click();
  await customer.getByText("Please choose one to five stars").waitFor();
  expect((await stored())!.writtenAt, "a review without stars is not stored").toBeNull();
  await customer.getByRole("radio", { name: "2 stars, poor" }).check();
  await customer.getByRole("button", { name: "Publish My Review" }).click();
  await customer.getByText("Thanks! Your review is published").waitFor();
  await takePicture(customer, "review-written");
  await expectFits(customer, "the review");
  await reader.reload();
  await expectAccessible(reader);
  expect(await stored()).toMatchObject({ stars: 2, words: "Neat edges. Ring me on ▮▮▮ <b>" });

  await phone.goto("/my-reviews");
  await phone.getByText("2.0 out of 5 from one review.").waitFor();
  await phone.getByRole("button", { name: "Reply to Rita" }).click();
  await phone.getByLabel("Your reply").fill("Sorry about that, Rita. We’ll come back.");
  await takePicture(phone, "review-reply");
  await expectFits(phone, "the provider's reviews");
  await expectAccessible(phone);
  await phone.getByRole("button", { name: "Publish reply" }).click();
  await phone.getByRole("button", { name: "Change your reply to Rita" }).waitFor();

  await customer.goto(`/review/${token}`);
  await customer.getByText("Sorry about that, Rita. We’ll come back.").waitFor();
  expect(await customer.getByRole("button").count(), "a written review has no form").toBe(0);
  await customer.getByRole("link", { name: "How reviews work" }).click();
  await customer.getByRole("heading", { name: "The only reasons to hide a review" }).waitFor();
  await takePicture(customer, "how-reviews-work");

  await db.update(reviews).set({ flag: "provider_network" }).where(eq(reviews.leadId, id));
  const admin = await insertUser(db, { isSuperAdmin: true });
  const desk = await openWindowAs(fixture, admin.id, PHONE);
  await desk.goto("/admin?show=reviews");
  await desk.getByText("Written from a network where a provider signs in").waitFor();
  await expectFits(desk, "the admin's reviews");
  await expectAccessible(desk);
});
