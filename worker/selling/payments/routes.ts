import { type Context, Hono, type MiddlewareHandler } from "hono";
import * as z from "zod/mini";

import {
  cardIdSchema,
  holdIdSchema,
  holdRequestSchema,
  saveCardRequestSchema,
  paymentIntentRequestSchema,
  savedCardPaymentSchema,
  settleRequestSchema,
} from "../../../contract/payments.ts";
import type { Act } from "../../identity/audit/store.ts";
import { OWN_MACHINE, type Session } from "../../platform/caller.ts";
import { cacheSession } from "../../identity/auth/queries.ts";
import { DomainError } from "../../platform/errors.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { type BusinessScope } from "../../identity/auth/rules.ts";
import { jsonBody, params, query, readLimited } from "../../platform/http/body.ts";
import type { AppContext, AppEnv } from "../../platform/context.ts";
import { hashPrefixes, type NetworkPrefixes } from "../../platform/network.ts";
import { linkNext, readAfter } from "../../platform/http/paging.ts";
import { countFastAttempt } from "../../platform/http/rate-limit.ts";
import { recordSaveConsent, payWithSavedCard, removeCard, listSavedCards } from "./card-commands.ts";
import { createHoldPayment, settleHold, settlePayment } from "./commands.ts";
import { type Buyer, closeHold, holdForPayment } from "./hold-commands.ts";
import { findReceipt, listOpen, listReceipts, toReceipt, toReceiptLine } from "./queries.ts";
import { intentIdOf } from "./intents.ts";
import { isOurMode, isTrusted, type NewcomerNetworks } from "./rules.ts";
import { readEventPayment, stripeAccount, verifyEvent } from "./stripe.ts";

/**
 * Rate-limits requests that call Stripe. A payment takes only a few. A script could otherwise exhaust the rate limit at
 * Stripe that all buyers share.
 * @throws DomainError too_many_requests
 */
const countPaying: MiddlewareHandler<AppEnv & { Variables: { scope: BusinessScope } }> = async (c, next) => {
  await countFastAttempt(c.env.PAYING_PER_BUSINESS, `paying:${c.get("scope").businessId}`, Date.now());
  await next();
};

const RECEIPTS_PAGE = 100;

const byHold = z.object({ id: holdIdSchema });
const byCard = z.object({ id: cardIdSchema });
const byPayment = z.object({ id: z.string().check(z.regex(/^pay_[0-9a-z]{8,40}$/)) });
const pageQuery = z.object({ cursor: z.optional(z.string().check(z.maxLength(200))) });

/** @throws DomainError invalid_input if the key is too long */
function readClaimKey(header: string | undefined): string | null {
  if (header !== undefined && header.length > 100)
    throw new DomainError("invalid_input", "Idempotency-Key: at most 100 characters");
  return header || null;
}

/** Returns the URL to which the bank's page redirects the buyer. */
function returnUrl(c: AppContext, holdId: string): string {
  return new URL(`/dashboard?hold=${holdId}`, c.req.url).href;
}

const cardRoutes = new Hono<AppEnv>()
  .get("/cards", access.owner, async (c) => c.json(await listSavedCards(c.env, c.get("scope"))))

  .delete("/cards/:id", access.owner, notImpersonating, params(byCard), async (c) => {
    await removeCard(c.env, c.get("scope"), c.req.valid("param").id, c.get("act"));
    return c.body(null, 204);
  })

  .post(
    "/keep-card",
    access.owner,
    notImpersonating,
    countPaying,
    jsonBody(saveCardRequestSchema),
    async (c) => {
      await recordSaveConsent(c.env, c.get("scope"), c.req.valid("json"), c.get("act"));
      return c.body(null, 204);
    },
  )

  .post(
    "/pay-saved",
    access.owner,
    notImpersonating,
    countPaying,
    jsonBody(savedCardPaymentSchema),
    async (c) => {
      const request = c.req.valid("json");
      const bankReturnUrl = returnUrl(c, request.holdId);
      return c.json(await payWithSavedCard(c.env, c.get("scope"), request, bankReturnUrl));
    },
  );

const receiptRoutes = new Hono<AppEnv>()
  .get("/", access.owner, query(pageQuery), async (c) => {
    const after = readAfter(c.req.valid("query").cursor);
    const page = { after, limit: RECEIPTS_PAGE };
    const rows = await listReceipts(c.env.db, c.get("scope"), page);
    const keys = rows.map(({ payment }) => payment);
    linkNext(c, keys, RECEIPTS_PAGE);
    return c.json(rows.map(toReceiptLine));
  })

  .get("/open", access.owner, async (c) => {
    const rows = await listOpen(c.env.db, c.get("scope"));
    return c.json(rows.map(({ holdId, leadId, createdAt }) => ({ holdId, leadId, createdAt })));
  })

  .get("/:id", access.owner, params(byPayment), async (c) => {
    const facts = await findReceipt(c.env.db, c.get("scope"), c.req.valid("param").id);
    if (!facts) throw new DomainError("not_found", "We can't find that receipt");
    return c.json(toReceipt(facts, c.env.settings));
  });

type BuyingContext = Context<AppEnv & { Variables: { session: Session; act: Act; scope: BusinessScope } }>;

/** Hashes the networks of a new provider's address. @param secret the hash key; null: do not limit by network */
function newcomerNetworks(secret: string | null, prefixes: NetworkPrefixes): NewcomerNetworks {
  if (!secret || OWN_MACHINE.has(prefixes.by64)) return { by56: null, by48: null };
  const { by56, by48 } = hashPrefixes(secret, prefixes);
  // An IPv4 address has the same /56 and /48 prefix, and gets the limit of the /48.
  return { by56: by56 === by48 ? null : by56, by48 };
}

/**
 * Reads the buyer and the claim key, rate-limits the call, and checks the buyer before the call to the exchange.
 * @throws DomainError unauthenticated, not_verified, invalid_input, too_many_requests
 */
async function readBuyer(c: BuyingContext): Promise<{ buyer: Buyer; claimKey: string | null }> {
  const { CALLER: caller } = c.env;
  const needsVerified = c.env.settings.requireVerified;
  const refuse = (session: Session | null) => {
    if (!session) return new DomainError("unauthenticated");
    return session.user.isVerified || !needsVerified ? null : new DomainError("not_verified");
  };
  // The cached session may be older than the operator's verification, so read the session again before refusing.
  const refusal = refuse(c.get("session")) && refuse(await caller.confirmSession());
  if (refusal) throw refusal;
  const claimKey = readClaimKey(c.req.header("Idempotency-Key"));
  await countFastAttempt(c.env.PAYMENT_PER_BUSINESS, c.get("scope").businessId, Date.now());
  const buyer = {
    sessionHash: caller.sessionHash!,
    mustBeVerified: needsVerified,
    isTrusted: isTrusted(c.get("session").user),
    hasPaid: c.get("session").user.payingSince !== null,
    networks: () => newcomerNetworks(c.env.settings.originHashKey, caller.prefixes),
    recheck: async () => {
      const session = await caller.confirmSession();
      return { refusal: refuse(session), isTrusted: session !== null && isTrusted(session.user) };
    },
  };
  return { buyer, claimKey };
}

const holdRoutes = new Hono<AppEnv>()
  .post("/", access.owner, notImpersonating, jsonBody(holdRequestSchema), async (c) => {
    const { buyer, claimKey } = await readBuyer(c);
    return c.json(await holdForPayment(c.env, c.get("scope"), c.req.valid("json"), claimKey, buyer));
  })

  .delete("/:id", access.owner, notImpersonating, params(byHold), async (c) => {
    await closeHold(c.env, c.get("scope"), c.req.valid("param").id);
    return c.body(null, 204);
  });

export const paymentRoutes = new Hono<AppEnv>()
  .post(
    "/create-payment-intent",
    access.owner,
    notImpersonating,
    jsonBody(paymentIntentRequestSchema),
    async (c) => {
      const { buyer, claimKey } = await readBuyer(c);
      return c.json(await createHoldPayment(c.env, c.get("scope"), c.req.valid("json"), claimKey, buyer));
    },
  )

  .post(
    "/payments/settle",
    access.owner,
    notImpersonating,
    countPaying,
    jsonBody(settleRequestSchema),
    async (c) => {
      const settled = await settleHold(c.env, c.get("scope"), c.req.valid("json"));
      const { sessionHash } = c.env.CALLER;
      // After a first purchase the buyer may hold the next lead for longer, so drop the cached session.
      const isFirst = settled.status === "sold" && c.get("session").user.payingSince === null;
      if (isFirst && sessionHash) cacheSession(sessionHash, null, Date.now());
      return c.json(settled);
    },
  )

  .route("/payments", cardRoutes)
  .route("/payments", receiptRoutes)

  .route("/exchange/holds", holdRoutes)

  // Stripe calls this endpoint and signs the raw body. Stripe retries after an error.
  .post("/stripe/webhook", access.anyone, async (c) => {
    const cards = stripeAccount(c.env);
    const event = await verifyEvent(cards, await readLimited(c.req.raw), c.req.header("Stripe-Signature"));
    if (!isOurMode(event, c.env.STRIPE_SECRET_KEY!)) throw new DomainError("invalid_signature", "Wrong mode");
    const intentId = intentIdOf(event);
    // Use only the payment's id from the event, and read the payment from Stripe.
    const payment = intentId ? await readEventPayment(cards, intentId) : null;
    if (payment) await settlePayment(c.env, payment);
    return c.json({ received: true });
  });
