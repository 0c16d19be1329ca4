import { and, eq, sql } from "drizzle-orm";

import type { QuarantineReason } from "../../contract/admin.ts";
import type { ChallengeAction } from "../../contract/challenges.ts";
import type { LeadRequest } from "../../contract/leads.ts";
import { type Actor, auditWhen } from "../audit/commands.ts";
import { type Db, database } from "../db/client.ts";
import { leads } from "../db/schema.ts";
import { type Env, settings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { findLead } from "../leads/queries.ts";
import type { LeadRow } from "../leads/rules.ts";
import { findEarlier, type RequestKeys } from "./queries.ts";
import { networkOf, ORIGIN_WINDOW_MS, requestKeys, suspicions } from "./rules.ts";
import { askTurnstile } from "./turnstile.ts";

/** A request's keys, and why it is kept off the market for now; no reason for most. */
export type Screened = RequestKeys & { reasons: QuarantineReason[] };

/** Where a request came from, and through which form. The address itself is stored nowhere. */
export type Sender = {
  address: string;
  /** The host whose page was filled in. */
  hostname: string;
  form: ChallengeAction;
  now: number;
};

/** A network address as a keyed hash: it can be counted, not read. Null when there is no key or no address. */
async function originKeyOf(secret: string | null, address: string): Promise<string | null> {
  if (!secret || address === "local") return null;
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(networkOf(address)));
  return Buffer.from(mac).toString("base64url").slice(0, 22);
}

/**
 * Looks a visitor's request over before it is stored.
 * @throws D1's errors
 */
export async function screenRequest(env: Env, request: LeadRequest, sender: Sender): Promise<Screened> {
  const { screening, originHashKey } = settings(env);
  const keys: RequestKeys = {
    ...requestKeys(request),
    originKey: await originKeyOf(originHashKey, sender.address),
  };
  const since = { person: sender.now - screening.duplicateMs, origin: sender.now - ORIGIN_WINDOW_MS };
  const [{ earlier, fromAddress }, challenge] = await Promise.all([
    findEarlier(database(env.DB), keys, since),
    askTurnstile(env, request, sender),
  ]);
  const { customerPhone: phone, serviceType, homepage, openMs } = request;
  const evidence = { phone, serviceType, homepage, openMs, earlier, fromAddress, challenge };
  return { ...keys, reasons: suspicions(evidence, screening) };
}

type Review = { actor: Actor; now: number; requestId: string };

const quarantined = (id: string) => and(eq(leads.id, id), eq(leads.listingState, "quarantined"));

async function review(
  db: Db,
  id: string,
  change: Partial<typeof leads.$inferInsert>,
  action: "lead.release" | "lead.drop",
  { actor, now, requestId }: Review,
): Promise<LeadRow> {
  const entry = {
    at: now,
    action,
    subjectType: "lead",
    subjectId: id,
    before: { listingState: "quarantined" },
    after: { listingState: change.listingState },
    requestId,
  };
  const [, [row]] = await db.batch([
    auditWhen(db, sql`EXISTS (SELECT 1 FROM ${leads} WHERE ${quarantined(id)})`, actor, entry),
    db
      .update(leads)
      .set({ ...change, reviewedByUserId: actor.userId, reviewedAt: now })
      .where(quarantined(id))
      .returning(),
  ]);
  if (row) return row;
  if (!(await findLead(db, id))) throw new DomainError("lead_not_found");
  throw new DomainError(
    "lead_changed",
    "Somebody has decided about this lead already. Reload and look again.",
  );
}

/**
 * Lets a request go to the market after all; its time there starts now.
 * @returns the lead, `pending`; the caller puts it on the market, else the sweep does
 * @throws DomainError lead_not_found, lead_changed
 */
export function releaseLead(db: Db, id: string, lifetimeMs: number, by: Review): Promise<LeadRow> {
  return review(db, id, { listingState: "pending", expiresAt: by.now + lifetimeMs }, "lead.release", by);
}

/**
 * Keeps a request off the market for good. It stays stored.
 * @param reason for admins; it may speak of people, so the log does not have it
 * @throws DomainError lead_not_found, lead_changed
 */
export function dropLead(db: Db, id: string, reason: string | null, by: Review): Promise<LeadRow> {
  const change = { listingState: "closed", status: "withdrawn", withdrawnReason: reason } as const;
  return review(db, id, change, "lead.drop", by);
}
