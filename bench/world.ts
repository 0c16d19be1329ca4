/** A benchmark's initial state: signed-in providers, listed leads, and a Stripe without latency. */

import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { hashToken, SESSION_MS } from "../worker/identity/auth/rules.ts";
import { newId, newLeadId } from "../worker/platform/ids.ts";
import { maskedSummary } from "../worker/leads/views.ts";
import { insertPendingLead } from "../testing/world.ts";
import type { Product } from "./runtime.ts";

export const REGION = "inner-west";

/** Keys for the stand-in. With them the product accepts cards. */
export const CARDS = {
  PAYMENTS: "stripe",
  // All providers here are new, and they race for all leads at once.
  NEWCOMER_SHARE_PERCENT: "100",
  DEPLOYMENT: "bench",
  STRIPE_SECRET_KEY: "sk_test_bench",
  STRIPE_WEBHOOK_SECRET: "whsec_bench",
  STRIPE_PUBLISHABLE_KEY: "pk_test_bench",
} as const;

export type Provider = { id: string; cookie: string };

/** Inserts providers with sessions like those that the sign-in form creates. */
export async function signUp({ d1 }: Product, count: number): Promise<Provider[]> {
  const now = Date.now();
  const made = await Promise.all(
    Array.from({ length: count }, async () => {
      const token = `bench-${crypto.randomUUID()}`;
      return { id: newId("user"), session: newId("ses"), token, hash: hashToken(token) };
    }),
  );
  const rows = JSON.stringify(made.map(({ id, session, hash }) => ({ id, session, hash })));
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO users (id, username, password_hash, user_type, first_name, last_name, watched_regions, created_at, updated_at)
         SELECT value ->> 'id', value ->> 'id', '-', 'provider', 'Pat', 'Provider', '["${REGION}"]', ?2, ?2 FROM json_each(?1)`,
      )
      .bind(rows, now),
    d1
      .prepare(
        `INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at)
         SELECT value ->> 'session', value ->> 'hash', value ->> 'id', ?2, ?2, ?3 FROM json_each(?1)`,
      )
      .bind(rows, now, now + SESSION_MS),
  ]);
  return made.map(({ id, token }) => ({ id, cookie: `session=${token}` }));
}

/** Lists leads, as the sweep does. @returns their IDs */
export async function listLeads(product: Product, count: number): Promise<string[]> {
  const now = Date.now();
  const lead = await insertPendingLead(product.db);
  const exchange = await product.exchange();
  const ids: string[] = [];
  for (let i = 0; i < count; i += 50) {
    const inputs = Array.from({ length: Math.min(50, count - i) }, () => {
      const leadId = newLeadId(REGION);
      ids.push(leadId);
      const summary = maskedSummary({ ...lead, id: leadId });
      return { leadId, generation: 1, priceCents: LEAD_PRICE_CENTS, expiresAt: now + 86_400_000, summary };
    });
    await Promise.all(inputs.map((input) => exchange.decide({ type: "list", ...input })));
  }
  return ids;
}
