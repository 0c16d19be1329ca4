import { Market } from "../exchange/market.ts";
import { projectListing } from "../leads/projection-commands.ts";
import { contextOf } from "../platform/context.ts";
import type { Bindings } from "../platform/env.ts";
import { paymentsPort } from "../selling/payments/port.ts";

/** One region's exchange as a Durable Object, connected to Stripe payments and to D1. exchange/object.ts documents the calls. */
export class LeadExchange extends Market {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env, paymentsPort(contextOf(env)), projectListing);
  }
}
