import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { SAVE_CARD_CONSENT } from "../contract/payments.ts";
import { leadPurchases, payments } from "../worker/tables.ts";
import {
  insertBuyer,
  endHold,
  listLead,
  openPurchase,
  setUpCardFixture,
  typeCard,
} from "../testing/product/card-fixture.ts";
import { expectAccessible, expectFits, collectPageErrors } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  keepToasts,
  openDashboard,
  openWindowAs,
  waitForHistoryCleanup,
  waitForPaint,
} from "../testing/product/browser-fixture.ts";

const GOOD = "4242 4242 4242 4242";
const DECLINED = "4000 0000 0000 0002";
const ASKING = "4000 0027 6000 3184";
const SLOW = "4000 0000 0000 0259";

const stage = await setUpCardFixture();
const { stripe } = stage;

type Options = Parameters<typeof openWindowAs>[2];

/** Opens a provider's dashboard. */
async function openProvider(options?: Options, overrides: Parameters<typeof insertBuyer>[1] = {}) {
  const user = await insertBuyer(stage, overrides);
  const page = await openWindowAs(stage, user.id, options);
  await openDashboard(page);
  return { user, page, call: await stage.product.callerFor(user.id) };
}

/** Opens a provider's window with a lead's purchase dialog. */
async function openDialog(words: string) {
  const leadId = await listLead(stage, words);
  const provider = await openProvider();
  await openPurchase(provider.page, words);
  return { ...provider, leadId };
}

const dialog = (page: Page) => page.getByRole("dialog");
const payButton = (page: Page) => dialog(page).getByRole("button", { name: /^Pay \$50/ });
const isStripe = (url: string) => url.endsWith("/stripe.js");
const toast = (page: Page, words: string) => page.locator(".toasts").getByText(words);
const cardOf = (page: Page, words: string) => page.getByRole("listitem").filter({ hasText: words });
const buyButton = (page: Page, words: string) =>
  cardOf(page, words).getByRole("button", { name: /^Buy for/ });

async function pay(page: Page, number: string) {
  await typeCard(page, number);
  await payButton(page).click();
}

/** Closes the purchase dialog of a held lead, which releases the hold. */
async function releaseHold(page: Page) {
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Release it" }).click();
  await dialog(page).first().waitFor({ state: "detached" });
}

async function expectBought(page: Page, leadId: string, buyer: { id: string }) {
  await page.getByRole("dialog", { name: "It's yours" }).getByText("02 5550 0123").first().waitFor();
  const [row] = await stage.product.db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  expect(row).toMatchObject({
    buyerId: buyer.id,
    mode: "stripe",
    amountPaidCents: 5000,
  });
  expect(stripe.intentsOf(leadId).filter(({ amount_received }) => amount_received > 0)).toHaveLength(1);
}

async function stateOf(leadId: string) {
  const [row] = await stage.product.db.select().from(payments).where(eq(payments.leadId, leadId));
  return row?.state;
}

test("a valid card buys the lead, Stripe.js loads only then, and every state fits a phone and passes axe", async () => {
  const words = "Pay with a good card";
  const leadId = await listLead(stage, words);
  const user = await insertBuyer(stage);
  const page = await openWindowAs(stage, user.id, { viewport: { width: 360, height: 740 } });
  const requests: string[] = [];
  page.context().on("request", (request) => requests.push(request.url()));
  await openDashboard(page);
  expect(requests.filter(isStripe)).toEqual([]);
  const errors = collectPageErrors(page);
  const checkPage = async (where: string) => {
    await expectFits(page, where);
    await expectAccessible(page, where);
    expect(errors, where).toEqual([]);
  };
  await openPurchase(page, words);
  await page.getByLabel("Card number").waitFor();
  expect(requests.filter(isStripe)).toHaveLength(1);
  await checkPage("card entry");
  await payButton(page).click();
  await page.getByText("Your card number is incomplete.").waitFor();
  await checkPage("incomplete card");
  await dialog(page).getByText("Change").click();
  await dialog(page).getByLabel("Email").fill("no address");
  await pay(page, GOOD);
  await dialog(page).getByText("Valid email required").waitFor();
  await checkPage("buyer with an error");
  await dialog(page).getByLabel("Email").fill("pat@lawns.example");
  await payButton(page).click();
  await dialog(page).getByText("Payment Successful", { exact: true }).waitFor();
  await expectBought(page, leadId, user);
  const [row] = await stage.product.db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  expect(row).toMatchObject({ buyerEmail: "pat@lawns.example" });
  await checkPage("bought");
});

test("a card is saved once its fields have loaded, pays for the next lead with one tap, and 3-D Secure opens in its window", async () => {
  const [first, second] = ["Keep my card here", "One tap for this one"];
  const [leadId, secondId] = [await listLead(stage, first), await listLead(stage, second)];
  const { page, user } = await openProvider();
  const fields = Promise.withResolvers<void>();
  await page.route("**/v1/payment_intents/*?client_secret=*", async (route) => {
    await fields.promise;
    await route.continue();
  });
  await openPurchase(page, first);
  const box = dialog(page).getByLabel(/^Save this card/);
  await page.getByLabel("Card number").waitFor();
  expect(await box.isDisabled()).toBe(true);
  fields.resolve();
  await dialog(page).locator("input[type=checkbox]:enabled").waitFor();
  const place = await box.boundingBox();
  await waitForPaint(page);
  expect(await box.boundingBox(), "no tap on a moving box").toEqual(place);
  await box.check();
  await pay(page, ASKING);
  await page.getByRole("dialog", { name: "3-D Secure" }).getByRole("button", { name: "Complete" }).click();
  await expectBought(page, leadId, user);
  const [row] = await stage.product.db.select().from(payments).where(eq(payments.leadId, leadId));
  expect(row).toMatchObject({ saveCardConsent: SAVE_CARD_CONSENT, cardBrand: "visa", cardLast4: "3184" });
  await page.getByRole("button", { name: "Close" }).click();
  await waitForHistoryCleanup(page);

  await openPurchase(page, second);
  const button = dialog(page).getByRole("button", { name: "Pay $50 with Visa ending in 3184" });
  await button.waitFor();
  await expectAccessible(page, "a kept card");
  await button.click();
  await page.getByRole("dialog", { name: "3-D Secure" }).getByRole("button", { name: "Complete" }).click();
  await expectBought(page, secondId, user);
});

test("declined cards show why, and the page follows another card's payment until its bank decides", async () => {
  const { page, user, leadId } = await openDialog("Decline, then retry");
  await pay(page, DECLINED);
  await toast(page, "Payment Failed").waitFor();
  await dialog(page).getByRole("alert").getByText("Your card was declined.").waitFor();
  await expectAccessible(page, "declined");
  await pay(page, ASKING);
  await page.getByRole("dialog", { name: "3-D Secure" }).getByRole("button", { name: "Fail" }).click();
  await dialog(page).getByRole("alert").getByText("We are unable to authenticate").waitFor();
  await keepToasts(page);
  await pay(page, SLOW);
  await toast(page, "Payment Processing").waitFor();
  await toast(page, "Payment status: processing").waitFor();
  await dialog(page).getByText("Your bank hasn't decided yet.").waitFor();
  await expectAccessible(page, "processing");
  // All three attempts used the same payment.
  const [intent, ...others] = stripe.intentsOf(leadId);
  expect(others).toEqual([]);
  stripe.finish(intent!.id, true);
  await dialog(page).getByText("Payment Successful", { exact: true }).waitFor();
  await expectBought(page, leadId, user);
});

test("row 8: the hold expires during 3-D Secure: nothing is charged, and the buyer sees why", async () => {
  const words = "Out of time";
  const leadId = await listLead(stage, words);
  const { page } = await openProvider();
  await page.clock.install();
  await openPurchase(page, words);
  await pay(page, ASKING);
  const bank = page.getByRole("dialog", { name: "3-D Secure" });
  await bank.waitFor();
  await endHold(stage, leadId);
  // A rival's request makes the exchange notice that the hold has expired.
  const rival = await stage.product.callerFor((await insertBuyer(stage)).id);
  await rival("POST", "/api/create-payment-intent", { leadId, amount: 5000 });
  await page.clock.fastForward("05:01");
  await dialog(page).getByText("Time's up for this lead").waitFor();
  await dialog(page).getByText("You have not been charged.").waitFor();
  await bank.waitFor({ state: "detached" });
  await expectAccessible(page, "the time is up");
  expect(stripe.intentsOf(leadId)).toMatchObject([{ status: "canceled", amount_received: 0 }]);
  await page.getByRole("button", { name: "Back to the leads" }).click();
  await buyButton(page, words).waitFor();
});

test("a provider who loses the race sees it immediately, without a payment, and can buy after a release", async () => {
  const words = "Two at once";
  const leadId = await listLead(stage, words);
  const { page } = await openProvider();
  const rival = await stage.product.callerFor((await insertBuyer(stage)).id);
  let holdId = "";
  await page.route("**/api/exchange/holds", async (route) => {
    const opened = await rival("POST", "/api/create-payment-intent", { leadId, amount: 5000 });
    ({ holdId } = (await opened.json()) as { holdId: string });
    await route.continue();
  });
  await openPurchase(page, words);
  await dialog(page).getByText("Someone is buying this lead right now. You have not been charged.").waitFor();
  await expectAccessible(page, "the race is lost");
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  await page.getByRole("button", { name: "Back to the leads" }).click();
  const item = cardOf(page, words);
  await item.getByText("Being bought").waitFor();
  await rival("DELETE", `/api/exchange/holds/${holdId}`);
  await item.getByRole("button", { name: /^Buy for/ }).waitFor();
});

/** Waits until a screen reader would announce a text. */
const expectAnnounced = (page: Page, text: string) =>
  page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" });

/** Opens a provider's phone with a page that is rendered but not hydrated. @returns `hydrate` hydrates it */
async function openUnhydrated(overrides: Parameters<typeof insertBuyer>[1] = {}) {
  const user = await insertBuyer(stage, overrides);
  const phone = { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true };
  const page = await openWindowAs(stage, user.id, phone);
  const gate = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/dashboard", { waitUntil: "commit" });
  return { page, hydrate: gate.resolve, call: await stage.product.callerFor(user.id) };
}

/**
 * Taps one lead, then another, before hydration. The release of the first waits until the server has answered the
 * request for the second.
 *
 * @returns `codes` has the server's answers about the second lead: an error code, or null for a hold
 */
async function tapBoth(page: Page, tapped: { first: string; second: string; secondId: string }) {
  const codes: (string | null)[] = [];
  const isAnswered = Promise.withResolvers<void>();
  await page.route("**/api/exchange/holds", async (route) => {
    const response = await route.fetch();
    const { leadId } = route.request().postDataJSON() as { leadId: string };
    if (leadId === tapped.secondId) {
      codes.push(response.ok() ? null : ((await response.json()) as { code: string }).code);
      isAnswered.resolve();
    }
    await route.fulfill({ response });
  });
  await page.route("**/api/exchange/holds/*", async (route) => {
    await isAnswered.promise;
    await route.continue();
  });
  await buyButton(page, tapped.first).tap();
  await expectAnnounced(page, "Reserved for you…");
  await buyButton(page, tapped.second).tap();
  return codes;
}

test("a tap before hydration takes the lead; a tap on another lead takes that one, once the first is released", async () => {
  const [first, second] = ["Tapped by mistake", "Tapped and wanted"];
  await listLead(stage, first);
  const secondId = await listLead(stage, second);
  // A new provider may hold only one lead.
  const { page, hydrate, call } = await openUnhydrated({ isVerified: false });
  const errors = collectPageErrors(page);
  await page.getByRole("button", { name: "Add Lead" }).tap();
  await expectAnnounced(page, "One moment…");
  const codes = await tapBoth(page, { first, second, secondId });
  await expectSoon(() => codes, ["newcomer_limit", null]);
  await expectAnnounced(page, "Reserved for you…");
  await expectFits(page, "a lead that was taken early");
  await expectAccessible(page, "a lead that was taken early");
  hydrate();
  await payButton(page).waitFor();
  expect(await dialog(page).innerText()).toContain("Reserved for you");
  expect(await page.getByRole("status").filter({ hasText: "Reserved for you…" }).count()).toBe(0);
  // The application continues with the existing hold and does not request another.
  expect(codes).toEqual(["newcomer_limit", null]);
  const open = (await (await call("GET", "/api/payments/open")).json()) as { leadId: string }[];
  expect(open.map(({ leadId }) => leadId)).toEqual([secondId]);
  // The browser reports the refusal.
  expect(errors.filter((error) => !error.includes("status of 409"))).toEqual([]);
});

test("Escape, the cross and Back ask before releasing the lead, then release it immediately", async () => {
  const words = "A thumb slips";
  const leadId = await listLead(stage, words);
  const { page } = await openProvider({ viewport: { width: 390, height: 664 } });
  await page.clock.install();
  await openPurchase(page, words);
  const ask = page.getByRole("dialog", { name: "Release this lead?" });
  const ways = {
    Escape: () => page.keyboard.press("Escape"),
    cross: () => page.getByRole("button", { name: "Close" }).click(),
    back: () => page.goBack(),
  };
  await page.getByLabel("Card number").waitFor();
  for (const [name, close] of Object.entries(ways)) {
    await page.getByLabel("Card number").focus();
    await close();
    await ask.getByText("you can't buy it again for 10 minutes").waitFor();
    if (name === "cross") await expectAccessible(page, "let go?");
    await ask.getByRole("button", { name: "Keep it" }).click();
    await ask.waitFor({ state: "detached" });
    expect(await stateOf(leadId), name).toBe("pending");
  }
  await page.goBack();
  // Going back again dismisses the question.
  await ask.waitFor();
  await page.goBack();
  await ask.waitFor({ state: "detached" });

  const item = cardOf(page, words);
  await releaseHold(page);
  await expectAccessible(page, "let go");
  await expect.poll(() => stateOf(leadId)).toBe("cancelled");
  await item.getByText("Released. You can buy it again in 10 min").waitFor();
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  await openDashboard(page);
  await item.getByRole("button", { name: /^Buy for/ }).click();
  await dialog(page).getByText("You released this lead. You can buy it again in 10 minutes.").waitFor();
});

/** Records the holds that a profile's windows release. @returns the paths of those holds so far */
function recordReleases(page: Page): string[] {
  const releasedPaths: string[] = [];
  page.context().on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "DELETE" && pathname.startsWith("/api/exchange/holds/"))
      releasedPaths.push(pathname);
  });
  return releasedPaths;
}

test("a late response about a lead does not close a purchase that was opened again", async () => {
  const words = "Opened twice for the lead";
  const leadId = await listLead(stage, words);
  const { page, user } = await openProvider();
  const releasedPaths = recordReleases(page);
  const isHeld = Promise.withResolvers<void>();
  const delivery = Promise.withResolvers<void>();
  const isDelivered = Promise.withResolvers<void>();
  await page.route(
    "**/api/exchange/holds",
    async (route) => {
      const response = await route.fetch();
      isHeld.resolve();
      await delivery.promise;
      await route.fulfill({ response });
      isDelivered.resolve();
    },
    { times: 1 },
  );
  await openPurchase(page, words);
  await isHeld.promise;
  await releaseHold(page);
  await waitForHistoryCleanup(page);
  await openPurchase(page, words);
  await page.getByLabel("Card number").waitFor();
  delivery.resolve();
  await isDelivered.promise;
  // Let the page handle the response.
  await waitForPaint(page);
  await pay(page, GOOD);
  await expectBought(page, leadId, user);
  expect(releasedPaths).toEqual([]);
});

test("a lead that is being released cannot be bought, and signing out waits for the exchange's response", async () => {
  const words = "Let go, then signed out";
  const leadId = await listLead(stage, words);
  const { page } = await openProvider();
  const releasedPaths = recordReleases(page);
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/exchange/holds/*", async (route) => {
    await answer.promise;
    await route.continue();
  });
  const logouts: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/auth/logout")) logouts.push(request.url());
  });
  await openPurchase(page, words);
  await page.getByLabel("Card number").waitFor();
  await releaseHold(page);
  const card = page.locator(`[data-lead="${leadId}"]`);
  await card.getByText("Releasing…").waitFor();
  expect(await card.locator(".button--main").count()).toBe(0);
  await expectAccessible(page, "letting it go");
  await expect.poll(() => releasedPaths.length).toBe(1);
  await page.locator(".account__button").click();
  await page.getByRole("button", { name: "Logout" }).click();
  await waitForPaint(page);
  expect(logouts).toEqual([]);
  answer.resolve();
  await page.waitForURL("/");
  await expect.poll(() => stateOf(leadId)).toBe("cancelled");
  expect(releasedPaths).toHaveLength(1);
});

test("row 18: a held lead can be continued in another window and after a reload; a payment after its release is refunded", async () => {
  const words = "Two windows";
  const leadId = await listLead(stage, words);
  const { page } = await openProvider();
  const second = await page.context().newPage();
  await openDashboard(second);
  await openPurchase(page, words);
  await page.getByLabel("Card number").waitFor();
  const item = cardOf(second, words);
  await item.getByRole("button", { name: /^Finish buying/ }).waitFor();
  await openDashboard(page);
  await openPurchase(page, words);
  await payButton(page).waitFor();
  const [intent, ...others] = stripe.intentsOf(leadId);
  expect(others).toEqual([]);
  await releaseHold(page);
  await expect.poll(() => stateOf(leadId)).toBe("cancelled");
  await item.getByRole("button", { name: /^Buy for/ }).waitFor();

  // The payment succeeds although we cancelled it. Such a payment must be refunded.
  intent!.status = "requires_payment_method";
  stripe.confirm(intent!.id, "good");
  await toast(page, "Payment refunded").waitFor();
  await expect.poll(() => stateOf(leadId)).toBe("refunded");
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intent!.id)).toHaveLength(1);
});

test("an admin who claims a lead just as a provider starts to pay sees why it fails, and the lead stays", async () => {
  const words = "Held while claimed";
  const leadId = await listLead(stage, words);
  const { page } = await openProvider({}, { isSuperAdmin: true });
  const payer = await stage.product.callerFor((await insertBuyer(stage)).id);
  await page.route("**/api/super-admin/claim-lead/**", async (route) => {
    expect((await payer("POST", "/api/create-payment-intent", { leadId, amount: 5000 })).status).toBe(200);
    await route.continue();
  });
  const item = cardOf(page, words);
  await item.getByRole("button", { name: "Claim Free" }).click();
  await dialog(page).getByRole("button", { name: "Claim Lead" }).click();
  await toast(page, "Failed to Claim Lead").waitFor();
  await toast(page, "A provider is paying for this lead right now. Try again in a few minutes.").waitFor();
  await item.getByText(/^Being bought/).waitFor();
  expect(await item.getByRole("button", { name: "Claim Free" }).count()).toBe(0);
});

test("the page explains in plain words why a lead cannot be held or paid for", async () => {
  const words = "Plain words";
  const leadId = await listLead(stage, words);
  const { page, call } = await openProvider();
  const expectMessage = async (message: string) => {
    await openPurchase(page, words);
    await dialog(page).getByText(message).waitFor();
    await page.getByRole("button", { name: "Back to the leads" }).click();
    await waitForHistoryCleanup(page);
    await page.unroute("**/api/exchange/holds");
  };
  await page.route("**/api/exchange/holds", (route) =>
    route.continue({ postData: JSON.stringify({ leadId, amount: 3000 }) }),
  );
  await expectMessage("The price of this lead has changed. You have not been charged.");
  for (const other of ["First of two", "Second of two"]) {
    const otherId = await listLead(stage, other);
    const opened = await call("POST", "/api/create-payment-intent", { leadId: otherId, amount: 5000 });
    expect(opened.status).toBe(200);
  }
  await expectMessage("You're already buying two leads.");

  await page.route(
    "**/api/create-payment-intent",
    async (route) => {
      const answer = await route.fetch();
      const { clientSecret: _secret, ...rest } = (await answer.json()) as Record<string, unknown>;
      await route.fulfill({ response: answer, json: rest });
    },
    { times: 1 },
  );
  await openDashboard(page);
  await openPurchase(page, "Second of two");
  await toast(page, "Payment Error").waitFor();
  await dialog(page).getByText("No client secret received from server").waitFor();
  await expectAccessible(page, "no client secret");
});

test("a bank's own page redirects to the dashboard with the result, and only the buyer can see the tax invoice", async () => {
  const { page, leadId } = await openDialog("There and back");
  await pay(page, ASKING);
  await page.getByRole("button", { name: "Continue on the bank's page" }).click();
  await page.getByRole("link", { name: "Complete" }).click();
  await toast(page, "Payment Successful").waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await page.getByRole("tab", { name: /^Leads/ }).click();
  await page.getByRole("article", { name: "Anna Brown" }).waitFor();
  expect(await stateOf(leadId)).toBe("succeeded");

  await page.getByRole("button", { name: /^Pat Provider/ }).click();
  await page.getByRole("link", { name: "Receipts" }).click();
  await page.getByRole("heading", { name: "Receipts" }).waitFor();
  await expectAccessible(page, "receipts");
  await page.getByRole("link", { name: /Visa ending in 3184/ }).click();
  await page.getByRole("heading", { name: "Tax invoice" }).waitFor();
  const sheet = await page.getByRole("article").innerText();
  for (const words of [
    "Naturestrip",
    "Example Lawns Pty Ltd",
    "ABN 00 000 000 000",
    "Leichhardt 2040",
    "$50.00 AUD",
    "$4.55",
  ]) {
    expect(sheet).toContain(words);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page, "receipt");
  await expectAccessible(page, "receipt");
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  expect(await page.locator(".bar").isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });

  const address = page.url();
  const intent = stripe.intentsOf(leadId)[0]!;
  stripe.refundInDashboard(intent.id);
  await expect.poll(() => stateOf(leadId)).toBe("refunded");
  await page.reload();
  await page.getByText("Refunded in full").waitFor();
  const rival = await stage.product.callerFor((await insertBuyer(stage)).id);
  const refused = await rival("GET", new URL(address).pathname);
  expect(refused.status).toBe(404);
  expect(await refused.text()).toContain("find that receipt");
});
