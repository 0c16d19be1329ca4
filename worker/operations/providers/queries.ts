import { and, count, desc, eq, gte, isNull, sql, sum } from "drizzle-orm";

import { BAD_LEAD_STATES, type BadLeadState } from "../../../contract/bad-leads.ts";
import { FIGURE_MONTHS, WIN_RATE_AGE_MS } from "../../../contract/figures.ts";
import { centsToText } from "../../../contract/money.ts";
import type {
  ProviderMember,
  ProviderNote,
  ProviderPage,
  ProviderPurchase,
} from "../../../contract/providers.ts";
import type { SlowCallerRule } from "../../../contract/standing.ts";
import { listSessions, listSignIns, toSessionInfo, toSignInInfo } from "../../identity/account/queries.ts";
import { adminScope, type BusinessScope } from "../../identity/auth/rules.ts";
import { readChecks } from "../../identity/checks/queries.ts";
import { isMemberOf } from "../../identity/team/store.ts";
import { addUp, monthsUntil, sumByMonth } from "../../pipeline/figures/queries.ts";
import { readProfileState } from "../../pipeline/profiles/queries.ts";
import { readStanding } from "../../pipeline/standing/queries.ts";
import type { Session, UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { providerNotes } from "../../identity/tables.ts";
import { pipelineCounts } from "../../pipeline/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { freeClaims, payments } from "../../platform/db/payments.ts";
import { badLeadReports, leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import { type After, olderThan } from "../../platform/db/sql.ts";

/** Maximum notes on the page. */
const MAX_NOTES = 100;
/** Maximum team members on the page, as elsewhere. */
const MAX_MEMBERS = 200;

/** Finds a provider's row. For a team member's id, finds the team owner's row. Returns null if there is none. */
export async function findBusiness(db: Db, id: string): Promise<UserRow | null> {
  const owner = sql`coalesce((SELECT team_owner_id FROM users WHERE id = ${id}), ${id})`;
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, owner), eq(users.userType, "provider")));
  return row ?? null;
}

/**
 * SQL for when a user was last active, by sessions and sign-ins. Sign-ins outlive sessions. This is raw SQL, because
 * drizzle omits the table name from columns in a single-table select.
 */
const lastSeen = sql<number | null>`(SELECT max(at) FROM (
  SELECT max(last_seen_at) AS at FROM sessions WHERE sessions.user_id = users.id AND impersonator_id IS NULL
  UNION ALL
  SELECT max(at) FROM sign_ins WHERE sign_ins.user_id = users.id AND succeeded))`;

async function findLastSeen(db: Db, id: string): Promise<number | null> {
  const [row] = await db.select({ lastSeen }).from(users).where(eq(users.id, id));
  return row?.lastSeen ?? null;
}

async function listTeam(db: Db, scope: BusinessScope): Promise<ProviderMember[]> {
  const rows = await db
    .select({ id: users.id, first: users.firstName, last: users.lastName, email: users.email, lastSeen })
    .from(users)
    .where(isMemberOf(scope))
    .limit(MAX_MEMBERS);
  return rows.map(({ id, first, last, email, lastSeen: lastSeenAt }) => ({
    id,
    name: `${first} ${last}`,
    email,
    lastSeenAt,
  }));
}

async function listNotes(db: Db, providerId: string): Promise<ProviderNote[]> {
  const rows = await db
    .select({ note: providerNotes, first: users.firstName, last: users.lastName })
    .from(providerNotes)
    .leftJoin(users, eq(users.id, providerNotes.byUserId))
    .where(eq(providerNotes.providerId, providerId))
    .orderBy(desc(providerNotes.createdAt))
    .limit(MAX_NOTES);
  return rows.map(({ note, first, last }) => ({
    id: note.id,
    kind: note.kind,
    text: note.text,
    subjectId: note.subjectId,
    byName: first === null ? "Someone" : `${first} ${last}`,
    createdAt: note.createdAt,
  }));
}

async function countReports(db: Db, businessId: string): Promise<Record<BadLeadState, number>> {
  const rows = await db
    .select({ state: badLeadReports.state, reports: count() })
    .from(badLeadReports)
    .where(eq(badLeadReports.buyerId, businessId))
    .groupBy(badLeadReports.state);
  const counted = new Map<string, number>(rows.map(({ state, reports }) => [state, reports]));
  return Object.fromEntries(BAD_LEAD_STATES.map((state) => [state, counted.get(state) ?? 0])) as Record<
    BadLeadState,
    number
  >;
}

/** Sums a business's purchases, payments, refunds and earnings of this calendar month and the previous eleven. */
async function sumYear(db: Db, scope: BusinessScope, now: number): Promise<ProviderPage["year"]> {
  const months = monthsUntil(now, FIGURE_MONTHS).map(({ start }) => start);
  const [sums, [refunds]] = await Promise.all([
    sumByMonth(db, scope, months, now - WIN_RATE_AGE_MS),
    db
      .select({ cents: sql<number>`coalesce(${sum(payments.refundedCents)}, 0)` })
      .from(payments)
      .where(and(eq(payments.buyerId, scope.businessId), gte(payments.createdAt, months[0]!))),
  ]);
  const { bought, spendCents, won, earnedCents } = addUp([...sums.values()]);
  return {
    bought,
    paid: centsToText(spendCents),
    refunded: centsToText(refunds!.cents),
    won,
    earned: centsToText(earnedCents),
  };
}

/** Counts all leads of a provider, and the free claims that remain. */
async function countWork(db: Db, businessId: string) {
  const [[totalRow], [free]] = await db.batch([
    db
      .select({ leads: sql<number>`coalesce(${sum(pipelineCounts.purchases)}, 0)` })
      .from(pipelineCounts)
      .where(eq(pipelineCounts.businessId, businessId)),
    db
      .select({ claims: count() })
      .from(freeClaims)
      .where(
        and(eq(freeClaims.buyerId, businessId), isNull(freeClaims.usedAt), isNull(freeClaims.revokedAt)),
      ),
  ]);
  return { leads: totalRow!.leads, freeClaims: free!.claims };
}

/**
 * Reads all data for a provider's page.
 * @param session a super admin's session
 * @param slowCallers the operator's setting
 * @throws DomainError forbidden for other users' sessions
 */
export async function readProviderPage(
  db: Db,
  user: UserRow,
  session: Session,
  slowCallers: SlowCallerRule,
  now: number,
): Promise<Omit<ProviderPage, "canMessage">> {
  const { id, firstName, lastName, companyName, username, email, userType, phone, abn } = user;
  const { isActive, isVerified, isSuperAdmin, createdAt } = user;
  const scope = adminScope(session, id);
  const [lastSeenAt, work, year, badLeads, standing, team, open, tries, notes, profile, checks] =
    await Promise.all([
      findLastSeen(db, id),
      countWork(db, id),
      sumYear(db, scope, now),
      countReports(db, id),
      readStanding(db, id, slowCallers, now),
      listTeam(db, scope),
      listSessions(db, id, now),
      listSignIns(db, id),
      listNotes(db, id),
      readProfileState(db, id),
      readChecks(db, id),
    ]);
  const account = { id, firstName, lastName, companyName, username, email, userType, phone, abn };
  return {
    provider: { ...account, isActive, isVerified, isSuperAdmin, createdAt },
    businessAddress: user.businessAddress,
    insuranceDetails: user.insuranceDetails,
    licenseNumber: user.licenseNumber,
    serviceAreas: user.serviceAreas,
    services: user.services,
    watchedRegions: user.watchedRegions,
    payingSince: user.payingSince,
    lastSeenAt,
    ...work,
    year,
    badLeads,
    standing,
    team,
    sessions: open.map((row) => toSessionInfo(row, session.id)),
    signIns: tries.map(toSignInInfo),
    notes,
    profile,
    checks,
  };
}

/** Lists a provider's purchases, newest first, each with its payment and its bad-lead report. */
export async function listProviderPurchases(
  db: Db,
  businessId: string,
  page: { after: After; limit: number },
): Promise<ProviderPurchase[]> {
  const rows = await db
    .select({
      id: leadPurchases.id,
      leadId: leads.id,
      serviceType: leads.serviceType,
      suburbName: leads.suburbName,
      customerName: leads.customerName,
      mode: leadPurchases.mode,
      amountPaidCents: leadPurchases.amountPaidCents,
      paymentStatus: leadPurchases.paymentStatus,
      paymentId: payments.id,
      salesStage: leadPurchases.salesStage,
      isArchived: leadPurchases.isArchived,
      badLead: badLeadReports.state,
      purchasedAt: leadPurchases.purchasedAt,
    })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .leftJoin(payments, eq(payments.stripePaymentIntentId, leadPurchases.paymentIntentId))
    .leftJoin(badLeadReports, eq(badLeadReports.purchaseId, leadPurchases.id))
    .where(
      and(
        eq(leadPurchases.buyerId, businessId),
        isNull(leadPurchases.removedAt),
        olderThan(leadPurchases.purchasedAt, leadPurchases.id, page.after),
      ),
    )
    .orderBy(desc(leadPurchases.purchasedAt), desc(leadPurchases.id))
    .limit(page.limit);
  return rows.map(({ amountPaidCents, ...row }) => ({ ...row, amountPaid: centsToText(amountPaidCents) }));
}
