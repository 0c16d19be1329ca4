/** The purchase on a phone: what is needed next is in reach, and the phone's own wallet pays. */
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import { insertUser } from "../testing/world.ts";
import { listLead, openPurchase, setCardStage, typeCard } from "../testing/product/card-stage.ts";
import { expectAccessible, expectFits } from "../testing/product/looks.ts";
import { expectSoon, openDashboard, openWindowOf } from "../testing/product/windows.ts";

const stage = await setCardStage();
const { stripe } = stage;

const GOOD = "4242424242424242";
const DECLINED = "4000000000000002";
const SIZE = { width: 390, height: 664 };

/** The purchase of a lead on a phone. @param walletCard the card in the phone's wallet, if it has one */
async function openSheet(words: string, { walletCard, phone }: { walletCard?: string; phone?: null } = {}) {
  const leadId = await listLead(stage, words);
  const user = await insertUser(stage.product.db, {
    email: `${crypto.randomUUID()}@example.com`,
    ...(phone === null && { phone: null }),
  });
  const page = await openWindowOf(stage, user.id, { viewport: SIZE, hasTouch: true, isMobile: true });
  if (walletCard)
    await page.addInitScript((card) => Object.assign(globalThis, { walletCard: card }), walletCard);
  await openDashboard(page);
  await openPurchase(page, words);
  await page.getByLabel("Card number").waitFor();
  return { page, leadId };
}

const payButton = (page: Page) => page.getByRole("dialog").getByRole("button", { name: /^Pay \$50/ });
const wallet = (page: Page) => page.getByRole("button", { name: "Buy with Google Pay" });
const boxOf = async (place: Locator) => (await place.boundingBox())!;
const paid = (leadId: string) =>
  stripe.intentsOf(leadId).filter(({ amount_received }) => amount_received > 0);
const isYours = (page: Page) => page.getByRole("dialog", { name: "It's yours" });

/** Whether two boxes have any of the screen in common. */
async function overlap(a: Locator, b: Locator): Promise<boolean> {
  const [one, other] = [await boxOf(a), await boxOf(b)];
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** A keyboard as a phone lays it over a page, which hears of it from its visual viewport alone. */
async function showKeyboard(page: Page, height: number) {
  await page.evaluate((covered) => {
    Object.defineProperty(visualViewport, "height", { value: innerHeight - covered, configurable: true });
    visualViewport!.dispatchEvent(new Event("resize"));
  }, height);
}

test("on a phone the lead is one line, and Pay is in reach while a card is typed", async () => {
  const { page } = await openSheet("Pay in reach");
  const lead = page.getByRole("region", { name: /^The lead in/ });
  expect((await boxOf(lead)).height).toBeLessThanOrEqual(56);
  await expectFits(page, "pay sheet");
  await expectAccessible(page, "pay sheet");
  for (const label of ["Card number", "Expiration date", "Security code"]) {
    const field = page.getByLabel(label);
    await field.focus();
    const pay = await boxOf(payButton(page));
    expect(pay.y + pay.height, label).toBeLessThanOrEqual(SIZE.height);
    expect(await overlap(field, page.locator(".buy__foot")), label).toBe(false);
  }
  await showKeyboard(page, 280);
  await expectSoon(async () => {
    const pay = await boxOf(payButton(page));
    return pay.y + pay.height <= SIZE.height - 280;
  }, true);

  await lead.getByText("Details").click();
  await lead.getByText("Pay in reach").waitFor();
});

test("what a declined card is told lies neither on Pay nor on the card", async () => {
  const { page } = await openSheet("Told beside it");
  await typeCard(page, DECLINED);
  await payButton(page).click();
  const toast = page.locator(".toasts .toast").first();
  await toast.waitFor();
  expect(await overlap(toast, payButton(page))).toBe(false);
  expect(await overlap(toast, page.getByLabel("Card number"))).toBe(false);
});

test("one tap and the phone's wallet pays", async () => {
  const { page, leadId } = await openSheet("Paid by wallet", { walletCard: GOOD });
  await expectAccessible(page, "pay sheet with a wallet");
  await wallet(page).click();
  await isYours(page).waitFor();
  expect(paid(leadId)).toHaveLength(1);
});

test("a wallet's card that is declined is told, and another card pays", async () => {
  const { page, leadId } = await openSheet("Wallet declined", { walletCard: DECLINED });
  await wallet(page).click();
  await page.locator(".toasts").getByText("Payment Failed").waitFor();
  expect(paid(leadId)).toHaveLength(0);
  await typeCard(page, GOOD);
  await payButton(page).click();
  await isYours(page).waitFor();
  expect(paid(leadId)).toHaveLength(1);
});

test("a wallet pays nothing while the buyer's details are incomplete", async () => {
  const { page, leadId } = await openSheet("Wallet without a phone", { walletCard: GOOD, phone: null });
  await wallet(page).click();
  await page.getByText("Phone number required").waitFor();
  expect(paid(leadId)).toHaveLength(0);
  await page.getByRole("dialog").getByLabel("Phone").fill("0491 570 006");
  await wallet(page).click();
  await isYours(page).waitFor();
  expect(paid(leadId)).toHaveLength(1);
});

test("a window without a wallet shows no sign of one", async () => {
  const { page } = await openSheet("No wallet here");
  expect(await wallet(page).count()).toBe(0);
  expect(await page.getByText("or with a card").count()).toBe(0);
});
