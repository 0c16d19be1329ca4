import { Market } from "../exchange/market.ts";
import type { Env } from "../platform/env.ts";
import { paymentsPort } from "../selling/payments/port.ts";

/** One region's exchange as a Durable Object, with its payments. exchange/object.ts documents its calls. */
export class LeadExchange extends Market {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, paymentsPort(env));
  }
}
