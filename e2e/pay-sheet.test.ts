/** The purchase on a phone: the next control is within reach, and a wallet or a saved card can pay. */
import { eq } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import { DAY_MS } from "../contract/durations.ts";
import { RESCUE_PRICE_CENTS } from "../contract/money.ts";
import { insertManualPurchase, insertPendingLead } from "../testing/world.ts";
import { leads } from "../worker/tables.ts";
import {
  insertBuyer,
  listLead,
  openPurchase,
  saveCards,
  setUpCardFixture,
  typeCard,
} from "../testing/product/card-fixture.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  keepToasts,
  openDashboard,
  openWindowAs,
  takePicture,
} from "../testing/product/browser-fixture.ts";

const stage = await setUpCardFixture();
const { stripe } = stage;

const GOOD = "4242424242424242";
const DECLINED = "4000000000000002";
const MASTERCARD = "5555555555554444";
const SIZE = { width: 390, height: 664 };
const PHONE = { viewport: SIZE, hasTouch: true, isMobile: true };

/** The cards in the phone's wallet and in Link, if any. */
type Cards = { walletCard?: string; linkCard?: string; isWalletLate?: boolean };

/** Opens a lead's purchase dialog on a phone. */
async function openSheet(words: string, { email, ...cards }: Cards & { email?: null } = {}) {
  const leadId = await listLead(stage, words);
  const user = await insertBuyer(stage, email === null ? { email } : {});
  const page = await openWindowAs(stage, user.id, PHONE);
  await page.addInitScript((given) => Object.assign(globalThis, given), cards);
  await openDashboard(page);
  await keepToasts(page);
  await openPurchase(page, words);
  await page.getByLabel("Card number").waitFor();
  // Wait for the fields: until they load, a placeholder takes their place, and afterwards everything moves.
  const pay = page.getByRole("dialog").getByRole("button", { name: /^Pay \$50/, disabled: false });
  await pay.waitFor();
  return { page, leadId };
}

const payButton = (page: Page) => page.getByRole("dialog").getByRole("button", { name: /^Pay \$50/ });
const wallet = (page: Page) => page.getByRole("button", { name: "Buy with Google Pay" });
const boxOf = async (place: Locator) => (await place.boundingBox())!;
const paid = (leadId: string) =>
  stripe.intentsOf(leadId).filter(({ amount_received }) => amount_received > 0);
const successDialog = (page: Page) => page.getByRole("dialog", { name: "It's yours" });

/** Whether two boxes overlap. */
async function overlap(a: Locator, b: Locator): Promise<boolean> {
  const [one, other] = [await boxOf(a), await boxOf(b)];
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** Simulates a phone's on-screen keyboard. It covers the page and changes only the visual viewport. */
async function showKeyboard(page: Page, height: number) {
  await page.evaluate((covered) => {
    Object.defineProperty(visualViewport, "height", { value: innerHeight - covered, configurable: true });
    visualViewport!.dispatchEvent(new Event("resize"));
  }, height);
}

test("on a phone without a wallet the lead takes one line, and Pay stays within reach while a card is typed", async () => {
  const { page } = await openSheet("Pay in reach");
  expect(await wallet(page).count()).toBe(0);
  expect(await page.getByText("or with a card").count()).toBe(0);
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
  const code = page.getByLabel("Security code");
  await expectSoon(async () => {
    const { y, height } = await boxOf(code);
    return y >= 0 && y + height <= (await boxOf(payButton(page))).y;
  }, true);

  await lead.getByText("Details").click();
  await lead.getByText("Pay in reach").waitFor();

  // A second style sheet for the purchase dialog could fail to load, or change the order of the rules.
  const sheets = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ href }) => href),
  );
  expect(new Set(sheets.map((href) => new URL(href).pathname)).size, sheets.join(" ")).toBe(1);
  await page.setViewportSize({ width: 1280, height: 800 });
  // Only phones show this button.
  await expectSoon(() => page.locator(".filter-open").isVisible(), false);
});

/** Counts taps from now on, and prevents real phone calls. @returns a function that returns the count */
async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(globalThis, { taps: 0 });
    addEventListener("click", (event) => {
      (globalThis as unknown as { taps: number }).taps += 1;
      if ((event.target as Element).closest("a[href^='tel:']")) event.preventDefault();
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { taps: number }).taps);
}

/** Opens the dashboard on the phone of a provider with saved cards. */
async function openWithCards(...cards: [number: string, months: number][]) {
  const user = await insertBuyer(stage);
  await saveCards(stage, user.id, ...cards);
  const page = await openWindowAs(stage, user.id, PHONE);
  await openDashboard(page);
  return page;
}

test("with a saved card a lead is bought in two taps, and the third one calls the customer", async () => {
  await listLead(stage, "Straight to the telephone");
  const page = await openWithCards([GOOD, 12]);
  const taps = await countTaps(page);
  await page
    .getByRole("listitem")
    .filter({ hasText: "Straight to the telephone" })
    .getByRole("button", { name: /^Buy for/ })
    .tap();
  await page.getByRole("button", { name: "Pay $50 with Visa ending in 4242" }).tap();
  const call = successDialog(page).getByRole("link", { name: /^Call/ });
  await call.waitFor();
  expect(await taps()).toBe(2);
  expect(await call.getAttribute("href")).toBe("tel:+61255500123");
  const { y, height } = await boxOf(call);
  expect(y + height).toBeLessThanOrEqual(SIZE.height);
  await call.tap();
  await expectSoon(taps, 3);
});

test("an expired card cannot pay and the next one is selected; once that is removed, the buyer types a card", async () => {
  const words = "Which card pays";
  await listLead(stage, words, { serviceType: ["lawn_mowing", "hedge_trimming"] });
  const page = await openWithCards([GOOD, -1], [MASTERCARD, 0]);
  await openPurchase(page, words);
  const pay = await boxOf(page.getByRole("button", { name: "Pay $50 with Mastercard ending in 4444" }));
  expect(pay.x).toBeGreaterThanOrEqual(0);
  expect(pay.x + pay.width).toBeLessThanOrEqual(SIZE.width);
  expect(await page.getByRole("radio", { name: /Visa ending in 4242/ }).isDisabled()).toBe(true);
  const expectExpiries = async (where: string) => {
    await page.getByText(/^Expired \d\d\/\d\d$/).waitFor();
    await page.getByText("Expires this month").waitFor();
    await expectFits(page, where);
    await expectAccessible(page, where);
  };
  await expectExpiries("cards that expire");

  await page.goto("/settings?tab=bank");
  await expectExpiries("settings, cards that expire");
  await page.getByRole("button", { name: "Remove Mastercard ending in 4444" }).click();
  await page.getByRole("button", { name: "Remove card" }).click();
  await page.getByRole("listitem").filter({ hasText: "4444" }).waitFor({ state: "detached" });

  await openDashboard(page);
  await openPurchase(page, words);
  await page.getByLabel("Card number").waitFor();
  expect(await page.getByRole("radio", { name: "Another card" }).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Pay $50", exact: true }).waitFor();
});

const SIZES = [{ width: 360, height: 640 }, SIZE, { width: 1280, height: 800 }];

/** Checks that a toast does not cover these parts of the dialog, on phones and a desktop. */
async function expectBeside(page: Page, parts: Readonly<Record<string, Locator>>) {
  const toast = page.locator(".toasts .toast").first();
  await toast.waitFor();
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    for (const [name, part] of Object.entries(parts)) {
      const where = `${name} at ${viewport.width}`;
      await expectSoon(async () => [where, await overlap(toast, part)], [where, false]);
    }
    await expectSoon(async () => {
      const { y, height } = await boxOf(toast);
      return [`all of it at ${viewport.width}`, y >= 0, y + height <= viewport.height];
    }, [`all of it at ${viewport.width}`, true, true]);
  }
}

const cross = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Close" });

test("a declined wallet's message covers nothing needed to pay another way, and one tap pays with Link", async () => {
  const { page, leadId } = await openSheet("Wallet declined", { walletCard: DECLINED, linkCard: GOOD });
  const link = page.getByRole("button", { name: "Pay with Link" });
  await link.waitFor();
  expect((await boxOf(link)).y).toBe((await boxOf(wallet(page))).y);
  await expectFits(page, "pay sheet with Link");
  // A window that Link opens can access ours.
  const response = await page.request.get("/dashboard");
  expect(response.headers()["cross-origin-opener-policy"]).toBe("same-origin-allow-popups");
  await wallet(page).click();
  await page.locator(".toasts").getByText("Payment Failed").waitFor();
  expect(paid(leadId)).toHaveLength(0);
  await expectBeside(page, {
    title: page.getByRole("heading", { name: "Buy this lead for $50" }),
    cross: cross(page),
    pay: payButton(page),
    number: page.getByLabel("Card number"),
  });
  await link.click();
  await successDialog(page).waitFor();
  expect(paid(leadId)).toHaveLength(1);
});

test("a wallet that loads late moves nothing under a tap, and one tap pays with it", async () => {
  const { page, leadId } = await openSheet("Paid by wallet", { walletCard: GOOD, isWalletLate: true });
  const { x, y } = await boxOf(page.getByLabel("Card number"));
  const hitClass = await page.evaluate(
    (at) =>
      new Promise((resolve) => {
        new MutationObserver(() => {
          const hit = document.elementFromPoint(at.x, at.y)!.closest(".buy *");
          resolve(hit ? hit.className : "no field");
        }).observe(document.querySelector(".pay__wallet")!, { attributes: true });
        dispatchEvent(new Event("walletready"));
      }),
    { x: x + 20, y: y + 20 },
  );
  expect(hitClass).toBe("no field");
  await expectAccessible(page, "pay sheet with a wallet");
  await wallet(page).click();
  await successDialog(page).waitFor();
  expect(paid(leadId)).toHaveLength(1);
  await successDialog(page).getByText("Payment Successful", { exact: true }).waitFor();
  await successDialog(page).getByRole("link", { name: /^Call/ }).waitFor();
  expect(await page.locator(".toasts .toast").count()).toBe(0);
});

/** Returns what a screen reader would announce for the focused element: its label or text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement!;
    return at === document.body ? "the body" : (at.getAttribute("aria-label") ?? at.textContent);
  });

test("the focus starts on the title and never moves to the body: paid, closed or released", async () => {
  const { page } = await openSheet("Focus stays near");
  await expectSoon(() => focused(page), "Buy this lead for $50");
  await cross(page).press("Enter");
  await expectSoon(() => focused(page), "Release this lead?");
  await page.getByRole("button", { name: "Release it" }).press("Enter");
  await page
    .getByRole("listitem")
    .filter({ hasText: "Focus stays near" })
    .getByText("Released. You can buy it again in 10 min")
    .waitFor();
  await expect.poll(() => focused(page)).not.toBe("the body");
  await listLead(stage, "Focus on the next one");
  await openDashboard(page);
  await openPurchase(page, "Focus on the next one");
  await page.getByLabel("Card number").waitFor();
  await typeCard(page, DECLINED);
  await payButton(page).press("Enter");
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await expectSoon(() => focused(page), "Pay $50");
  await typeCard(page, GOOD);
  await payButton(page).press("Enter");
  await successDialog(page).waitFor();
  await expectSoon(() => focused(page), "It's yours");
  await cross(page).press("Enter");
  await successDialog(page).waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).not.toBe("the body");
  await page.getByRole("button", { name: "Add Lead" }).press("Enter");
  await expectSoon(
    () => page.evaluate(() => (document.activeElement as HTMLInputElement).name),
    "customerName",
  );
});

test("without an email neither a wallet nor a card can pay; the sheet asks once, and drops its error as the buyer types", async () => {
  const { page, leadId } = await openSheet("Asked for an email once", { walletCard: GOOD, email: null });
  const email = page.getByRole("dialog").getByLabel("Email");
  const problem = page.getByText("Valid email required");
  await typeCard(page, GOOD);
  await payButton(page).click();
  await problem.waitFor();
  await email.fill("pat@lawns.example");
  expect(await problem.count()).toBe(0);
  expect(await email.isVisible()).toBe(true);
  await email.fill("");
  await wallet(page).click();
  await problem.waitFor();
  expect(paid(leadId)).toHaveLength(0);
  await email.fill("pat@lawns.example");
  await wallet(page).click();
  await successDialog(page).waitFor();
  expect(paid(leadId)).toHaveLength(1);
  await cross(page).click();

  await listLead(stage, "Bought with the same email");
  await openDashboard(page);
  await openPurchase(page, "Bought with the same email");
  await page.getByLabel("Card number").waitFor();
  expect(await email.inputValue()).toBe("pat@lawns.example");
  expect(await email.isVisible()).toBe(false);
});

test("a passed-on lead explains its price and marks the business's own customer, and the payment sheet counts the photos", async () => {
  const words = "Passed on with photos";
  const { db } = stage.product;
  const { id } = await insertPendingLead(
    db,
    { specificRequests: words, customerPhone: "02 5550 7041", customerName: "محمد علي" },
    Date.now() - 60_000,
  );
  await db.update(leads).set({ priceCents: RESCUE_PRICE_CENTS, photoCount: 2 }).where(eq(leads.id, id));
  await stage.product.runSchedule();
  await listLead(stage, "At the usual price");
  const user = await insertBuyer(stage);
  const page = await openWindowAs(stage, user.id, { viewport: { width: 360, height: 740 } });
  await openDashboard(page);
  // Added in another window, so the open dashboard does not know.
  const request = { customerPhone: "02 5550 7041", customerEmail: "" };
  await insertManualPurchase(db, user, { stage: "called", startedAt: Date.now() - DAY_MS, request });
  const KNOWN = "You already have this customer.";
  const WHY = "Another provider bought it first. The customer says no one called, so it costs less.";
  const card = (text: string) => page.getByRole("listitem").filter({ hasText: text });
  await card(words).getByText(WHY).waitFor();
  expect(await card("At the usual price").getByText(WHY).count()).toBe(0);
  expect(await page.getByText(KNOWN).count()).toBe(0);
  await openPurchase(page, words);
  await page.getByLabel("Card number").waitFor();
  const sheet = page.getByRole("dialog");
  await sheet.getByText(KNOWN).waitFor();
  await takePicture(page, "own-customer-sheet-360");
  await page.reload();
  await card(words).getByText(KNOWN).waitFor();
  expect(await card("At the usual price").getByText(KNOWN).count()).toBe(0);
  // A name written from right to left does not reorder the number beside it.
  expect(await card(words).locator("bdi").innerText()).toBe("محمد ع.");
  await takePicture(page, "passed-on-cards-360");
  await card(words).getByRole("button", { name: "Finish buying" }).click();
  await page.getByLabel("Card number").waitFor();
  await sheet.getByText(WHY).waitFor();
  expect(await sheet.getByText("one provider only").count()).toBe(0);
  await sheet.getByText("Details").click();
  await sheet.getByText("2 photos").waitFor();
  await expectFits(page, "pay sheet of a passed-on lead");
  await expectAccessible(page, "pay sheet of a passed-on lead");
  await typeCard(page, GOOD);
  await sheet.getByRole("button", { name: "Pay $25" }).click();
  await successDialog(page).getByText("The customer sent 2 photos.").waitFor();
  expect(await successDialog(page).getByRole("heading").locator("bdi").innerText()).toBe("محمد علي");
});
