import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";

import { leadPurchases } from "../worker/platform/db/schema.ts";
import type { OpenedPayment, SettledHold } from "../worker/selling/payments/commands.ts";
import { serveStripe } from "../testing/stand-ins/stripe-server.ts";
import { StripeStandIn } from "../testing/stand-ins/stripe-stand-in.ts";
import { insertPendingLead, insertUser } from "../testing/world.ts";
import { cardSettings } from "../testing/product/card-fixture.ts";
import { type Product, startProduct } from "../testing/product/product.ts";

const PROVIDERS = 50;
const SECRET = "whsec_naturestrip";

const stripe = new StripeStandIn(SECRET);
let stripeServer: Awaited<ReturnType<typeof serveStripe>>;
let product: Product;
let providers: { id: string; as: Awaited<ReturnType<Product["callerFor"]>> }[];

beforeAll(async () => {
  stripeServer = await serveStripe(stripe);
  product = await startProduct(cardSettings(stripeServer));
  providers = [];
  for (let i = 0; i < PROVIDERS; i++) {
    const { id } = await insertUser(product.db);
    providers.push({ id, as: await product.callerFor(id) });
  }
});

afterAll(async () => {
  await product.stop();
  stripeServer.stop();
});

async function listedLead(): Promise<string> {
  const { id } = await insertPendingLead(product.db, {}, Date.now() - 60_000);
  await product.runSchedule();
  return id;
}

/** Makes all these providers request the lead at once. Returns the one who may pay, and the others' responses. */
async function race(leadId: string, racers: typeof providers) {
  const answers = await Promise.all(
    racers.map(async (racer) => {
      const response = await racer.as("POST", "/api/create-payment-intent", { leadId, amount: 5000 });
      return {
        racer,
        status: response.status,
        body: (await response.json()) as OpenedPayment & { code?: string },
      };
    }),
  );
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers).toHaveLength(racers.length - 1);
  for (const { status, body } of losers) expect([status, body.code]).toEqual([409, "lead_taken"]);
  const [{ racer, body }] = winners as [(typeof winners)[number]];
  return { winner: racer, holdId: body.holdId, intentId: body.clientSecret.split("_secret")[0]! };
}

async function sendWebhook(type: string, intentId: string) {
  const { body, headers } = await stripe.event(type, intentId);
  return (await fetch(`${product.url}/api/stripe/webhook`, { method: "POST", headers, body })).status;
}

async function expectOneSale(leadId: string, buyerId: string) {
  const purchases = await product.db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  expect(purchases).toMatchObject([{ buyerId, mode: "stripe", amountPaidCents: 5000 }]);
  const paid = stripe.intentsOf(leadId).filter(({ amount_received }) => amount_received > 0);
  expect(paid).toHaveLength(1);
  expect(stripe.refunds).toEqual([]);
}

test("50 providers with cards at once: one payment, one charge, one sale", async () => {
  const leadId = await listedLead();
  const { winner, holdId, intentId } = await race(leadId, providers);
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  stripe.confirm(intentId, "good");
  // Send the browser's return and the webhook, twice and in parallel.
  const [settled, ...webhooks] = await Promise.all([
    winner.as("POST", "/api/payments/settle", { holdId }),
    sendWebhook("payment_intent.succeeded", intentId),
    sendWebhook("payment_intent.succeeded", intentId),
  ]);
  expect(webhooks).toEqual([200, 200]);
  expect((await settled.json()) as SettledHold).toMatchObject({
    status: "sold",
    purchase: { customerPhone: "02 5550 0123", amountPaid: "50.00" },
  });
  await expectOneSale(leadId, winner.id);
});
