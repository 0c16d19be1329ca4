/** The product with card payments, and a Stripe stand-in that tests can inspect. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

import { addMonths, sydneyMonth } from "../../contract/sydney-time.ts";
import { users } from "../../worker/tables.ts";
import { serveStripe, type StripeServer } from "../stand-ins/stripe-server.ts";
import { StripeStandIn } from "../stand-ins/stripe-stand-in.ts";
import { insertPendingLead, insertUser } from "../world.ts";
import { type BrowserFixture, setUpFixture } from "./browser-fixture.ts";

const WEBHOOK_SECRET = "whsec_naturestrip";

/** Returns settings that enable card payments through a stand-in. */
function cardSettings(server: StripeServer) {
  return {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_naturestrip",
    STRIPE_PUBLISHABLE_KEY: "pk_test_naturestrip",
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_HOST: server.url,
    STRIPE_JS_URL: server.scriptUrl,
    GST: "on",
  };
}

type CardFixture = BrowserFixture & { stripe: StripeStandIn };

/** Starts a product that accepts cards, and a browser. The stand-in sends webhooks like Stripe. */
export async function setUpCardFixture(): Promise<CardFixture> {
  const stripe = new StripeStandIn(WEBHOOK_SECRET);
  const server = await serveStripe(stripe);
  const fixture = setUpFixture(cardSettings(server));
  beforeAll(() => server.sendWebhooksTo(`${fixture.product.url}/api/stripe/webhook`));
  afterAll(() => server.stop());
  return Object.assign(fixture, { stripe });
}

/** Lists a lead in the inner west. Tests find the lead by its text. */
export async function listLead(
  { product }: BrowserFixture,
  words: string,
  request: Parameters<typeof insertPendingLead>[1] = {},
): Promise<string> {
  const quote = { ...request, specificRequests: words };
  const { id } = await insertPendingLead(product.db, quote, Date.now() - 60_000);
  await product.runSchedule();
  return id;
}

/** Stores a verified provider. A new one holds a lead for 90 seconds, which is short for a test on a busy machine. */
export function insertBuyer(
  { product }: BrowserFixture,
  overrides: Parameters<typeof insertUser>[1] = {},
): ReturnType<typeof insertUser> {
  return insertUser(product.db, {
    email: `${crypto.randomUUID()}@example.com`,
    isVerified: true,
    ...overrides,
  });
}

/** Gives a provider saved cards, latest first. Each has a number of months until it expires. */
export async function saveCards(
  { product, stripe }: CardFixture,
  userId: string,
  ...cards: [number: string, months: number][]
): Promise<void> {
  const { vault } = stripe.book;
  const customer = vault.addCustomer({ business: userId }).id;
  for (const [number, months] of cards.toReversed()) {
    const [year, month] = addMonths(sydneyMonth(Date.now()), months).split("-");
    const expiry = {
      "payment_method_data[card][exp_year]": year!,
      "payment_method_data[card][exp_month]": month!,
    };
    vault.addMethod(number, new URLSearchParams(expiry)).customer = customer;
  }
  await product.db.update(users).set({ stripeCustomerId: customer }).where(eq(users.id, userId));
}

/** Opens a lead's purchase dialog. */
export async function openPurchase(page: Page, words: string): Promise<void> {
  const item = page.getByRole("listitem").filter({ hasText: words });
  await item.getByRole("button", { name: /^(Buy for|Finish buying)/ }).click();
}

/** Types a card into the Payment Element. */
export async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiration date").fill("12 / 34");
  await page.getByLabel("Security code").fill("123");
}

/** Ends a hold in the exchange, as if five minutes had passed. The exchange notices at the next request. */
export async function endHold({ product }: BrowserFixture, leadId: string): Promise<void> {
  const past = Date.now() - 1;
  await product
    .exchange("inner-west")
    .exec(
      "UPDATE holds SET ends_at = ?, hold = json_set(hold, '$.endsAt', ?) WHERE lead_id = ?",
      past,
      past,
      leadId,
    );
}
