/** The decisions of admins about cases of the guarantee, and the contests that ask for one. */
import { and, eq, sql } from "drizzle-orm";

import type { FreeClaimDecision } from "../../../contract/bad-leads.ts";
import type { ContestForm } from "../../../contract/guarantee.ts";
import type { Act } from "../../identity/audit/act.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { badLeadReports, guaranteeCases, leads } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { followFreeClaim } from "../reviews/commands.ts";
import {
  caseAsRead,
  type CaseIds,
  changeCase,
  followDecision,
  grantFreeClaim,
  logDecision,
  raiseCaseAlert,
  resolveCaseAlert,
} from "./case-commands.ts";
import { CONTESTABLE, isOpenState, toCase } from "./queries.ts";

/**
 * Returns the statements that record an admin's decision about a bad-lead report as a case, and the condition that the
 * case is as read. A granted case stays. A refused report changes no case that a rule or a person has yet to decide.
 */
export async function recordBadLeadDecision(
  db: Db,
  ids: CaseIds,
  decision: "granted" | "refused",
  answer: string | null,
  by: Act,
) {
  const { now, actor } = by;
  const ofCase = eq(guaranteeCases.purchaseId, ids.purchaseId);
  const [known] = await db.select().from(guaranteeCases).where(ofCase);
  const isSame = sql`(SELECT state FROM guarantee_cases WHERE purchase_id = ${ids.purchaseId}) IS ${known?.state ?? null}`;
  const isKept =
    known && (decision === "granted" ? known.state === "granted" : !CONTESTABLE.includes(known.state));
  const decided = { answer, decidedAt: now, decidedByUserId: actor.userId, updatedAt: now };
  const set = { rule: "bad_lead_report", state: decision, dueAt: null, ...decided } as const;
  const record = db
    .insert(guaranteeCases)
    .values({ ...ids, ...set, createdAt: now })
    .onConflictDoUpdate({ target: guaranteeCases.purchaseId, set });
  const statements = isKept
    ? followFreeClaim(db, ids.purchaseId, by)
    : [record, ...followDecision(db, ids, decision, by)];
  return { isSame, statements };
}

/**
 * Contests a decision, for a person to decide once more.
 * @throws DomainError not_found, not_contestable
 */
export function contestCase(
  db: Db,
  scope: BusinessScope,
  purchaseId: string,
  { note }: ContestForm,
  by: Act,
): Promise<void> {
  const { now } = by;
  const own = and(eq(guaranteeCases.purchaseId, purchaseId), eq(guaranteeCases.buyerId, scope.businessId));
  const detail = "A business contests a decision under the guarantee. Please decide again.";
  return retryIfChanged(async () => {
    const [row] = await db.select().from(guaranteeCases).where(own);
    if (!row) throw new DomainError("not_found", "Purchase not found");
    if (!toCase(row).canContest) throw new DomainError("not_contestable", "You can't contest this any more.");
    await guardedBatch(db, caseAsRead(row), [
      changeCase(db, purchaseId, { state: "contested", contestedAt: now, contestNote: note }, now),
      logDecision(db, row, "contest", by),
      raiseCaseAlert(db, row.leadId, detail, now),
    ]);
  });
}

/**
 * Decides a case that waits for a person.
 * @returns the business, to notify its windows
 * @throws DomainError not_found, bad_lead_answered
 */
export function answerCase(
  db: Db,
  purchaseId: string,
  { decision, answer = null }: FreeClaimDecision,
  by: Act,
): Promise<{ buyerId: string; purchaseId: string }> {
  const { now } = by;
  const decided = { state: decision, answer, decidedAt: now };
  return retryIfChanged(async () => {
    const [found] = await db
      .select({ row: guaranteeCases, priceCents: leads.priceCents })
      .from(guaranteeCases)
      .innerJoin(leads, eq(leads.id, guaranteeCases.leadId))
      .where(eq(guaranteeCases.purchaseId, purchaseId));
    if (!found) throw new DomainError("not_found", "Case not found");
    const { row, priceCents } = found;
    if (!isOpenState(row.state))
      throw new DomainError("bad_lead_answered", "Someone has already decided this.");
    const ofReport = and(eq(badLeadReports.purchaseId, purchaseId), sql`${row.rule} = 'bad_lead_report'`);
    await guardedBatch(db, caseAsRead(row), [
      changeCase(db, purchaseId, { ...decided, decidedByUserId: by.actor.userId }, now),
      logDecision(db, row, decision === "granted" ? "grant" : "refuse", by),
      ...(decision === "granted" ? [grantFreeClaim(db, row, priceCents, now)] : []),
      resolveCaseAlert(db, row.leadId, now),
      db.update(badLeadReports).set(decided).where(ofReport),
      ...followDecision(db, row, decision, by),
    ]);
    return { buyerId: row.buyerId, purchaseId };
  });
}
