/** Saved cards and their expiry: paying with one tap, and the warning before a card expires. */
import { expect, test } from "vitest";

import { addMonths, sydneyMonth } from "../contract/sydney-time.ts";
import { insertBuyer, listLead, openPurchase, setUpCardFixture } from "../testing/product/card-fixture.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { openDashboard, openWindowAs } from "../testing/product/browser-fixture.ts";

const stage = await setUpCardFixture();
const { vault } = stage.stripe.book;

const VISA = "4242424242424242";
const MASTERCARD = "5555555555554444";
const PHONE = { width: 390, height: 664 };

/** Creates a provider with saved cards, latest first. Each has a number of months until it expires. */
async function keeper(...cards: [number: string, months: number][]) {
  const user = await insertBuyer(stage);
  const customer = vault.addCustomer({ business: user.id }).id;
  for (const [number, months] of cards.toReversed()) {
    const [year, month] = addMonths(sydneyMonth(Date.now()), months).split("-");
    const expiry = {
      "payment_method_data[card][exp_year]": year!,
      "payment_method_data[card][exp_month]": month!,
    };
    vault.addMethod(number, new URLSearchParams(expiry)).customer = customer;
  }
  await stage.product.d1
    .prepare("UPDATE users SET stripe_customer_id = ? WHERE id = ?")
    .bind(customer, user.id)
    .run();
  return openWindowAs(stage, user.id, { viewport: PHONE, hasTouch: true, isMobile: true });
}

test("an expired card cannot pay with one tap; the next valid card is selected, and a long line of work fits", async () => {
  const words = "Which card pays";
  await listLead(stage, words, { serviceType: ["lawn_mowing", "hedge_trimming"] });
  const page = await keeper([VISA, -1], [MASTERCARD, 0]);
  await openDashboard(page);
  await openPurchase(page, words);
  const pay = page.getByRole("button", { name: "Pay $50 with Mastercard ending in 4444" });
  const { x, width } = (await pay.boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(PHONE.width);
  const over = page.getByRole("radio", { name: /Visa ending in 4242/ });
  expect(await over.isDisabled()).toBe(true);
  await page.getByText(/^Expired \d\d\/\d\d$/).waitFor();
  await page.getByText("Expires this month").waitFor();
  await expectFits(page, "cards that expire");
  await expectAccessible(page, "cards that expire");
});

test("the settings show which cards expire, and each can be removed; without a valid one the buyer types a card", async () => {
  const words = "Type one in";
  await listLead(stage, words);
  const page = await keeper([VISA, -1], [MASTERCARD, 0]);
  await page.goto("/settings?tab=bank");
  await page.getByText("Expires this month").waitFor();
  await page.getByText(/^Expired \d\d\/\d\d$/).waitFor();
  await expectFits(page, "settings, cards that expire");
  await expectAccessible(page, "settings, cards that expire");
  await page.getByRole("button", { name: "Remove Mastercard ending in 4444" }).click();
  await page.getByRole("button", { name: "Remove card" }).click();
  await page.getByRole("listitem").filter({ hasText: "4444" }).waitFor({ state: "detached" });

  await openDashboard(page);
  await openPurchase(page, words);
  await page.getByLabel("Card number").waitFor();
  expect(await page.getByRole("radio", { name: "Another card" }).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Pay $50", exact: true }).waitFor();
});
