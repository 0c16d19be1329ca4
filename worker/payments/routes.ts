import { Hono } from "hono";
import * as z from "zod/mini";

import { holdIdSchema, paymentIntentRequestSchema, settleRequestSchema } from "../../contract/payments.ts";
import { settings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { access } from "../middleware/access.ts";
import { jsonBody, params, readLimited } from "../middleware/body.ts";
import type { AppEnv } from "../middleware/caller.ts";
import { countTry } from "../middleware/rate-limit.ts";
import { closeHold, openPayment, settleHold, settlePayment } from "./commands.ts";
import { intentIdOf, isOurMode } from "./rules.ts";
import { readPayment, till, verifyEvent } from "./stripe.ts";

const byHold = z.object({ id: holdIdSchema });

/** @throws DomainError invalid_input for a key that is too long to be remembered */
function readClaimKey(header: string | undefined): string | null {
  if (header !== undefined && header.length > 100)
    throw new DomainError("invalid_input", "Idempotency-Key: at most 100 characters");
  return header || null;
}

export const paymentRoutes = new Hono<AppEnv>()
  .post("/create-payment-intent", access.owner, jsonBody(paymentIntentRequestSchema), async (c) => {
    const { user } = c.get("session");
    if (settings(c.env).requireVerified && !user.isVerified) throw new DomainError("not_verified");
    const claimKey = readClaimKey(c.req.header("Idempotency-Key"));
    await countTry(c.env.PAYMENT_PER_BUSINESS, c.get("scope").businessId);
    return c.json(await openPayment(c.env, c.get("scope"), c.req.valid("json"), claimKey));
  })

  .post("/payments/settle", access.owner, jsonBody(settleRequestSchema), async (c) =>
    c.json(await settleHold(c.env, c.get("scope"), c.req.valid("json"), c.executionCtx)),
  )

  .delete("/exchange/holds/:id", access.owner, params(byHold), async (c) => {
    await closeHold(c.env, c.get("scope"), c.req.valid("param").id);
    return c.body(null, 204);
  })

  // Called by Stripe: the signature over the raw body says so. What fails here is sent again.
  .post("/stripe/webhook", access.anyone, async (c) => {
    const cards = till(c.env);
    const event = await verifyEvent(cards, await readLimited(c.req.raw), c.req.header("Stripe-Signature"));
    if (!isOurMode(event, c.env.STRIPE_SECRET_KEY!)) throw new DomainError("invalid_signature", "Wrong mode");
    const intentId = intentIdOf(event);
    // The event only says where to look; what it claims is not believed.
    const payment = intentId ? await readPayment(cards, intentId) : null;
    if (payment) await settlePayment(c.env, payment);
    return c.json({ received: true });
  });
