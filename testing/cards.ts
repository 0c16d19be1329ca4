/** Card purchases in tests: the Stripe stand-in behind the Worker's fetch, leads, providers and clocks. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, vi } from "vitest";

import type { MarketChange } from "../contract/exchange.ts";
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { leadPurchases, leads, payments } from "../worker/tables.ts";
import type { Hold, Sale } from "../worker/exchange/listing.ts";
import { regionOfLeadId } from "../worker/platform/ids.ts";
import type { OpenedPayment, SettledHold } from "../worker/selling/payments/commands.ts";
import type { OpenedHold } from "../worker/selling/payments/hold-commands.ts";
import { call, callerFor, db, testEnv } from "./client.ts";
import { StripeStandIn } from "./stand-ins/stripe-stand-in.ts";
import { insertUser } from "./world.ts";
import { listed, runSweeps } from "./drivers.ts";
import { exchangeIn } from "./facts.ts";

const newStripe = () => new StripeStandIn(testEnv.STRIPE_WEBHOOK_SECRET!);

/** The stand-in of the running test file. */
export let stripe = newStripe();

/** An unreachable host for Stripe's API. */
export const UNREACHABLE_STRIPE_URL = "http://stripe-away.test";

const realFetch = globalThis.fetch.bind(globalThis);

async function fetchWithStripe(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  if (request.url.startsWith(UNREACHABLE_STRIPE_URL)) throw new TypeError("Network connection lost");
  return request.url.startsWith("http://stripe.test") ? stripe.fetch(request) : realFetch(request);
}

/**
 * The inner west's exchange. Renewed for each file, because a stub does not survive the deletion of its
 * object.
 */
export let exchange = exchangeIn("inner-west");

/** Runs before each file. Files share a Worker, so this also removes the file's stubs afterwards. */
export function useStripeStandIn(): void {
  vi.stubGlobal("fetch", fetchWithStripe);
  stripe = newStripe();
  exchange = exchangeIn("inner-west");
}

/** Inserts and lists a lead, by default in the inner west. @param customerAddress determines the market */
export async function listedLead(customerAddress?: string): Promise<string> {
  const lead = await listed(customerAddress ? { customerAddress } : {});
  return lead.id;
}

/** Inserts a verified provider. Verified providers hold a lead for the full five minutes. */
export async function buyer(overrides: Parameters<typeof insertUser>[1] = {}) {
  const user = await insertUser(db, { isVerified: true, ...overrides });
  const as = await callerFor(user.id);
  const makeClaim =
    (path: string) =>
    (leadId: string, key?: string, amount = LEAD_PRICE_CENTS) =>
      call("POST", path, {
        cookie: as.cookie,
        body: { leadId, amount },
        ...(key && { headers: { "Idempotency-Key": key } }),
      });
  const open = makeClaim("/api/create-payment-intent");
  const take = makeClaim("/api/exchange/holds");
  return {
    user,
    as,
    /** Takes a hold and creates its payment. */
    open,
    /** Takes a hold, without a payment yet. */
    take,
    /** Takes a hold on a lead that must be available. */
    async mustTake(leadId: string): Promise<OpenedHold> {
      const response = await take(leadId);
      const body = (await response.json()) as OpenedHold;
      expect(body, JSON.stringify(body)).toMatchObject({ amountCents: LEAD_PRICE_CENTS });
      return body;
    },
    /** Takes a hold and creates its payment, which must succeed. */
    async opened(leadId: string): Promise<OpenedPayment & { intentId: string }> {
      const response = await open(leadId);
      const body = (await response.json()) as OpenedPayment;
      expect(body, JSON.stringify(body)).toMatchObject({ amountCents: LEAD_PRICE_CENTS });
      return { ...body, intentId: body.clientSecret.split("_secret")[0]! };
    },
    async settle(holdId: string): Promise<SettledHold> {
      const response = await as("POST", "/api/payments/settle", { holdId });
      expect(response.status).toBe(200);
      return response.json();
    },
    close: (holdId: string) => as("DELETE", `/api/exchange/holds/${holdId}`),
  };
}

/** Inserts a lead that a provider bought by card. The returned `id` is the payment's ID in the ledger. */
export async function soldLead() {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  const { id } = await paymentOf(holdId);
  return { leadId, pat, holdId, intentId, id };
}

export async function readStatusAndCode(response: Response): Promise<[number, string]> {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

/** Confirms a payment with a card number, in the same API call as Stripe.js. */
export async function typeCard(
  mustOpen: OpenedPayment & { intentId: string },
  number: string,
): Promise<void> {
  const body = new URLSearchParams({
    key: mustOpen.publishableKey,
    client_secret: mustOpen.clientSecret,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": number,
  });
  const url = `http://stripe.test/v1/payment_intents/${mustOpen.intentId}/confirm`;
  await stripe.fetch(new Request(url, { method: "POST", body }));
}

/** Sends a Stripe webhook to the Worker. */
export async function webhook(
  type: string,
  intentId: string,
  options?: Parameters<StripeStandIn["event"]>[2],
) {
  const { body, headers } = await stripe.event(type, intentId, options);
  return call("POST", "/api/stripe/webhook", { body, headers });
}

/** Returns the exchange's own record of a lead. */
export function listingOf(leadId: string) {
  return runInDurableObject(exchange, (_, { storage }) => {
    const row = storage.sql
      .exec<{ state: string; hold: string | null; sale: string | null }>(
        "SELECT state, hold, sale FROM listings LEFT JOIN holds USING (lead_id) WHERE lead_id = ?",
        leadId,
      )
      .one();
    return {
      state: row.state,
      hold: row.hold ? (JSON.parse(row.hold) as Hold) : null,
      sale: row.sale ? (JSON.parse(row.sale) as Sale) : null,
    };
  });
}

/** Returns the events about a lead that every open browser received. */
export function eventsOf(leadId: string) {
  return runInDurableObject(exchange, (_, { storage }) =>
    storage.sql
      .exec<{ change: string }>("SELECT change FROM events ORDER BY seq")
      .toArray()
      .map(({ change }) => JSON.parse(change) as MarketChange)
      .filter((change) => ("lead" in change ? change.lead.id : change.leadId) === leadId)
      .map(({ kind }) => kind),
  );
}

/** Returns the timers that are set for a lead, with their times. */
export function timersOf(leadId: string) {
  return runInDurableObject(exchange, (_, { storage }) =>
    storage.sql
      .exec<{ kind: string; at: number }>("SELECT kind, at FROM due WHERE key = ? ORDER BY kind", leadId)
      .toArray(),
  );
}

/** Moves the end of a hold into the past. Does not run the alarm. */
export function endHold(leadId: string) {
  return runInDurableObject(exchangeIn(regionOfLeadId(leadId)!), (_, { storage }) => {
    const past = Date.now() - 1;
    storage.sql.exec(
      "UPDATE holds SET ends_at = ?, hold = json_set(hold, '$.endsAt', ?) WHERE lead_id = ?",
      past,
      past,
      leadId,
    );
  });
}

/** Runs a lead's alarm now, and again for each further round. */
export async function runAlarm(leadId: string, rounds = 2) {
  const market = exchangeIn(regionOfLeadId(leadId)!);
  for (let i = 0; i < rounds; i++) {
    await runInDurableObject(market, async (_, { storage }) => {
      storage.sql.exec("UPDATE due SET at = 1 WHERE key = ?", leadId);
      await storage.setAlarm(Date.now() + 60_000);
    });
    await runDurableObjectAlarm(market);
  }
}

/** Runs the sweep as if this much time had passed. */
export async function sweep(laterMs = 10 * 60_000) {
  await runSweeps(Date.now() + laterMs);
}

export async function paymentOf(holdId: string) {
  const [row] = await db.select().from(payments).where(eq(payments.holdId, holdId));
  return row!;
}

export async function purchaseOf(leadId: string) {
  const [row] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  return row ?? null;
}

export async function statusOf(leadId: string) {
  const [row] = await db.select().from(leads).where(eq(leads.id, leadId));
  return row!.status;
}

/** Checks a sale in the exchange, in D1 and at Stripe. */
export async function expectSold(leadId: string, buyerId: string, holdId: string) {
  expect(await listingOf(leadId)).toMatchObject({ state: "sold", hold: null, sale: { businessId: buyerId } });
  expect(await statusOf(leadId)).toBe("sold");
  expect(await purchaseOf(leadId)).toMatchObject({ buyerId, mode: "stripe", amountPaidCents: 5000 });
  expect(await paymentOf(holdId)).toMatchObject({ state: "succeeded", slot: null });
  expect(stripe.intentsOf(leadId).filter(({ status }) => status === "succeeded")).toHaveLength(1);
}

/** Checks that an unsold lead is for sale again and that all its payments are cancelled. */
export async function expectBackOnMarket(leadId: string) {
  expect(await listingOf(leadId)).toMatchObject({ state: "available", hold: null, sale: null });
  expect(await purchaseOf(leadId)).toBeNull();
  for (const { status } of stripe.intentsOf(leadId)) expect(status).toBe("canceled");
}
