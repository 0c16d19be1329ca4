import { type Act, auditEntry } from "../../identity/audit/store.ts";
import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { isAsRead } from "../customer-update-queries.ts";

import { UNCLEAR_SUBURB } from "../../../contract/address.ts";
import type { QuarantineReason } from "../../../contract/quarantine.ts";
import type { ChallengeAction } from "../../../contract/challenges.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import type { Db } from "../../platform/db/client.ts";
import { FactsChanged, guardedBatch } from "../../platform/db/guarded-batch.ts";
import { formStarts } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { findLead } from "../queries.ts";
import type { LeadRow } from "../rules.ts";
import { type Caller, OWN_MACHINE } from "../../platform/caller.ts";
import { hashPrefixes, type NetworkPrefixes } from "../../platform/network.ts";
import { findProviderTrace } from "../../identity/providers/queries.ts";
import { readPlace } from "../suburbs/queries.ts";
import type { SuburbPlace, UnlistedPlace } from "../suburbs/rules.ts";
import { findSimilarRequests, type RequestKeys } from "./queries.ts";
import { requestKeys } from "./contact-keys.ts";
import { suspicions } from "./sign-rules.ts";
import { readStart, type Start, START_LIFETIME_MS } from "./start-token.ts";
import { verifyWithTurnstile } from "./turnstile.ts";

/** The result of screening: a request's lookup keys, its suburb, and the reasons to quarantine it, if any. */
export type Screened = {
  keys: RequestKeys;
  /** The request's suburb; null if unknown. */
  place: SuburbPlace | UnlistedPlace | null;
  /** The address without the visitor's instructions, and these. */
  address: string;
  note: string | null;
  reasons: QuarantineReason[];
  /** The sender's own business, which must not buy the request; null for any other sender. */
  senderBusinessId: string | null;
};

/** The sender's network and the form used. The IP address itself is never stored. */
export type RequestSender = Pick<
  Caller,
  | "session"
  | "device"
  | "network"
  | "address"
  | "prefixes"
  | "userAgent"
  | "language"
  | "country"
  | "networkOwner"
> & {
  /** Host of the page with the form. */
  hostname: string;
  form: ChallengeAction;
  now: number;
};

/**
 * Hashes a lead's network with a key, for counting requests per network. Returns null without a key, or for a request
 * from this machine.
 */
function originKeyOf(secret: string | null, prefixes: NetworkPrefixes): string | null {
  if (!secret || OWN_MACHINE.has(prefixes.by64)) return null;
  const { by48, by56, by64 } = hashPrefixes(secret, prefixes);
  return [by48, by56, by64].join(".");
}

/**
 * Marks a form's start as used. If several requests send the same start, the first one claims it.
 * @returns whether another request has already used the start
 */
async function markStartUsed(db: Db, start: Start | null, submissionId: string | undefined, now: number) {
  if (!start) return false;
  const usedBy = submissionId ?? crypto.randomUUID();
  const [row] = await db
    .insert(formStarts)
    .values({ nonce: start.nonce, submissionId: usedBy, usedAt: now })
    .onConflictDoUpdate({ target: formStarts.nonce, set: { usedAt: sql`${formStarts.usedAt}` } })
    .returning({ submissionId: formStarts.submissionId });
  return row!.submissionId !== usedBy;
}

/**
 * Screens a visitor's request before it is stored.
 * @throws DomainError invalid_input for a quote without a known suburb; D1's errors
 */
export async function screenRequest(
  context: Context,
  request: LeadRequest,
  sender: RequestSender,
): Promise<Screened> {
  const { screening, originHashKey } = context.settings;
  const { now, form, userAgent, language, country, networkOwner } = sender;
  const db = context.db;
  const { suburbId, customerAddress, addressSuburb, addressPostcode, submissionId, startToken } = request;
  const originKey = originKeyOf(originHashKey, sender.prefixes);
  const start = originHashKey ? readStart(originHashKey, startToken, now) : null;
  const typed = { suburbId, address: customerAddress, suburb: addressSuburb, postcode: addressPostcode };
  const found = await readPlace(db, typed);
  const { address, note } = found;
  const place = found.place ?? found.unlisted;
  // Refuse before using up the form's start and token, so that the visitor can correct the address.
  if (!place && form === "quote")
    throw new DomainError("invalid_input", UNCLEAR_SUBURB, { customerAddress: UNCLEAR_SUBURB });
  const keys = { ...requestKeys({ ...request, customerAddress: address }), originKey };
  const [similar, challenge, isStartReused, provider] = await Promise.all([
    findSimilarRequests(db, keys, screening, now),
    verifyWithTurnstile(context, request, sender),
    markStartUsed(db, start, submissionId, now),
    findProviderTrace(db, sender, keys, now),
  ]);
  const evidence = {
    ...similar,
    userAgent,
    language,
    country,
    networkOwner,
    request,
    originKey,
    challenge,
    tookMs: start && now - start.at,
    isStartReused,
    isUnlistedSuburb: place?.id === null,
    providerTrace: provider?.sign ?? null,
  };
  const senderBusinessId = provider?.businessId ?? null;
  return { keys, place, address, note, reasons: suspicions(evidence, screening), senderBusinessId };
}

/** Deletes expired form starts. */
export async function sweepScreening({ db }: Context, now: number): Promise<{ forgotten: number }> {
  const { meta } = await db.delete(formStarts).where(lt(formStarts.usedAt, now - START_LIFETIME_MS));
  return { forgotten: meta.changes };
}

/** Decides on a quarantined request, with an audit entry. */
async function review(
  db: Db,
  id: string,
  action: "lead.release" | "lead.drop",
  change: Partial<typeof leads.$inferInsert>,
  { actor, now, requestId }: Act,
  condition?: SQL,
): Promise<LeadRow> {
  const where = and(eq(leads.id, id), eq(leads.listingState, "quarantined"), condition);
  const [before, after] = [{ listingState: "quarantined" }, { listingState: change.listingState }];
  const entry = { at: now, action, subjectType: "lead", subjectId: id, before, after, requestId };
  const decide = db.update(leads).set({ ...change, reviewedAt: now });
  try {
    const [[row]] = await guardedBatch(db, { from: leads, where }, [
      decide.where(eq(leads.id, id)).returning(),
      auditEntry(db, actor, entry),
    ]);
    return row!;
  } catch (error) {
    if (!(error instanceof FactsChanged)) throw error;
  }
  const lead = await findLead(db, id);
  if (!lead) throw new DomainError("lead_not_found");
  const problem =
    lead.listingState === "quarantined"
      ? "This request has changed since you read it. Please read it again."
      : "Someone has already decided on this lead. Please reload.";
  throw new DomainError("lead_changed", problem);
}

/**
 * Releases a quarantined request to the market, unless its customer has changed it since the admin read it. The lead's
 * lifetime on the market starts now.
 * @param seen the lead that the admin read
 * @returns the `pending` lead; if the caller does not list it, the sweep does
 * @throws DomainError lead_not_found, lead_changed
 */
export function releaseFromQuarantine(
  db: Db,
  seen: Pick<LeadRow, "id" | "revision">,
  lifetimeMs: number,
  by: Act,
): Promise<LeadRow> {
  const change = { listingState: "pending", expiresAt: by.now + lifetimeMs } as const;
  const isSeen = isAsRead({ ...seen, listingState: "quarantined" }, null);
  return review(db, seen.id, "lead.release", change, by, isSeen);
}

/**
 * Withdraws a request from the market permanently. The row stays in D1.
 * @param reason for admins; the audit log omits it, because it may contain personal details
 * @throws DomainError lead_not_found, lead_changed
 */
export function dropLead(db: Db, id: string, reason: string | null, by: Act): Promise<LeadRow> {
  const change = { listingState: "closed", status: "withdrawn", withdrawnReason: reason } as const;
  return review(db, id, "lead.drop", change, by);
}
