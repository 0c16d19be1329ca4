import { and, eq, sql } from "drizzle-orm";

import {
  type CertificateForm,
  type CertificateType,
  type CheckDecision,
  type CheckKind,
  type CheckState,
  type CheckStatement,
  formatAbn,
  VERIFYING_KINDS,
} from "../../../contract/checks.ts";
import { sydneyDay } from "../../../contract/sydney-time.ts";
import { attentionWhen } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { FactsChanged, guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { providerChecks } from "../tables.ts";
import { users } from "../../platform/db/users.ts";
import { DomainError } from "../../platform/errors.ts";
import { deleteFiles, type FileKey, putFile } from "../../platform/files.ts";
import { newId } from "../../platform/ids.ts";
import type { UserRow } from "../../platform/caller.ts";
import { type Act, auditEntry, auditWhen } from "../audit/store.ts";
import type { BusinessScope } from "../auth/rules.ts";
import { findCheck } from "./queries.ts";
import { requireFacts } from "./rules.ts";
import { enqueueCheckEmail } from "./messages.ts";

/** Returns the digits of an ABN as its check stores them. */
const digitsOf = (abn: string | null) => abn?.replaceAll(/\D/g, "") ?? null;

const isKind = (businessId: string, kind: CheckKind, state: CheckState) =>
  and(
    eq(providerChecks.businessId, businessId),
    eq(providerChecks.kind, kind),
    eq(providerChecks.state, state),
  );

/** Returns the statement that drops a business's waiting check of a kind, because a newer one replaces it. */
const dropWaiting = (db: Db, businessId: string, kind: CheckKind) =>
  db
    .update(providerChecks)
    .set({ state: "unused" })
    .where(isKind(businessId, kind, "waiting"));

const submitEntry = (id: string, kind: CheckKind, { now, requestId }: Act) => ({
  at: now,
  action: "check.submit",
  subjectType: "check",
  subjectId: id,
  after: { kind },
  requestId,
});

/** Stores what a business states, for an admin to check. */
export async function stateCheck(
  db: Db,
  { businessId }: BusinessScope,
  { kind, number }: CheckStatement,
  act: Act,
): Promise<void> {
  const id = newId("chk");
  const stored = (kind === "abn" ? digitsOf(number ?? null) : number) ?? null;
  await db.batch([
    dropWaiting(db, businessId, kind),
    db
      .insert(providerChecks)
      .values({ id, businessId, kind, state: "waiting", number: stored, createdAt: act.now }),
    auditEntry(db, act.actor, submitEntry(id, kind, act)),
  ]);
}

/**
 * Stores an insurance certificate for an admin to check. The row is inserted first, so that D1 knows every file in the
 * bucket: the sweep deletes the file of an upload that did not finish.
 * @throws DomainError not_found if the business was erased during the upload
 */
export async function uploadCertificate(
  { db, FILES }: Context,
  { businessId }: BusinessScope,
  { number, endsOn }: CertificateForm,
  { bytes, type }: { bytes: Uint8Array; type: CertificateType },
  act: Act,
): Promise<void> {
  const id = newId("chk");
  const fileKey: FileKey = `checks/${id}`;
  await db.insert(providerChecks).values({
    id,
    businessId,
    kind: "insurance",
    state: "unused",
    number,
    endsOn,
    fileKey,
    fileType: type,
    fileBytes: bytes.byteLength,
    createdAt: act.now,
  });
  await putFile(FILES, fileKey, bytes, type);
  const where = and(
    eq(providerChecks.id, id),
    eq(providerChecks.state, "unused"),
    sql`EXISTS (SELECT 1 FROM users WHERE id = ${businessId} AND is_active = 1)`,
  );
  try {
    await guardedBatch(db, { from: providerChecks, where }, [
      dropWaiting(db, businessId, "insurance"),
      db.update(providerChecks).set({ state: "waiting" }).where(eq(providerChecks.id, id)),
      auditEntry(db, act.actor, submitEntry(id, "insurance", act)),
    ]);
  } catch (error) {
    if (!(error instanceof FactsChanged)) throw error;
    await deleteFiles(FILES, [fileKey]);
    throw new DomainError("not_found");
  }
}

/**
 * Returns the statement that verifies or unverifies a business by its valid checks. The plus makes SQLite search the
 * business's index, not the index of all valid checks.
 */
export function refreshVerified(db: Db, businessId: string, now: number) {
  const kinds = sql.join(
    VERIFYING_KINDS.map((kind) => sql`${kind}`),
    sql`, `,
  );
  const isVerified = sql<boolean>`((SELECT count(DISTINCT kind) FROM provider_checks WHERE business_id = ${businessId}
    AND +state = 'valid' AND kind IN (${kinds})) = ${VERIFYING_KINDS.length})`;
  return db
    .update(users)
    .set({ isVerified, updatedAt: now })
    .where(and(eq(users.id, businessId), sql`${users.isVerified} <> ${isVerified}`));
}

/** The states from which an admin can decide. A valid check can still be declined, such as a cancelled policy. */
const DECIDABLE: Record<CheckDecision["decision"], readonly CheckState[]> = {
  valid: ["waiting"],
  refused: ["waiting", "valid"],
};

/**
 * Approves or declines a check. An approved one replaces the valid one of its kind. The business is verified, or no
 * longer verified, by the same batch, and gets an email.
 * @returns the business, to purge the pages that list it
 * @throws DomainError not_found, check_decided, invalid_input
 */
export function decideCheck(
  context: Context,
  id: string,
  decision: CheckDecision,
  { actor, now, requestId }: Act,
): Promise<string> {
  const db = context.db;
  const { decision: state, seenOn = null, endsOn = null, reason = null } = decision;
  const isApproved = state === "valid";
  return retryIfChanged(async () => {
    const row = await findCheck(db, id);
    if (!row || row.state === "unused") throw new DomainError("not_found", "Check not found");
    const { businessId, kind } = row;
    requireFacts(kind, decision, sydneyDay(now));
    if (!DECIDABLE[state].includes(row.state))
      throw new DomainError("check_decided", "This check has already been decided or replaced.");
    const change = isApproved ? { seenOn, endsOn, reason: null, remindedAt: null } : { reason };
    // The business may have sent another ABN than the one on its account.
    const abn = isApproved && kind === "abn" ? row.number : null;
    const [account] = abn
      ? await db.select({ abn: users.abn }).from(users).where(eq(users.id, businessId))
      : [];
    const isOtherAbn = abn !== null && (digitsOf(account?.abn ?? null) ?? "") !== abn;
    const where = and(eq(providerChecks.id, id), eq(providerChecks.state, row.state));
    await guardedBatch(db, { from: providerChecks, where }, [
      auditEntry(db, actor, {
        at: now,
        action: isApproved ? "check.approve" : "check.decline",
        subjectType: "check",
        subjectId: id,
        before: { state: row.state },
        after: { state, kind, businessId, ...(isApproved && { seenOn, endsOn }) },
        requestId,
      }),
      ...(isApproved
        ? [
            db
              .update(providerChecks)
              .set({ state: "ended" })
              .where(isKind(businessId, kind, "valid")),
          ]
        : []),
      db
        .update(providerChecks)
        .set({ state, ...change, decidedByUserId: actor.userId, decidedAt: now })
        .where(eq(providerChecks.id, id)),
      refreshVerified(db, businessId, now),
      ...(isOtherAbn
        ? [
            db
              .update(users)
              .set({ abn: formatAbn(abn) })
              .where(eq(users.id, businessId)),
            auditEntry(db, actor, {
              at: now,
              action: "user.profile_changed",
              subjectType: "user",
              subjectId: businessId,
              after: { fields: ["abn"] },
              requestId,
            }),
          ]
        : []),
      ...enqueueCheckEmail(context, id, { news: state, key: String(now) }, now),
    ]);
    return businessId;
  });
}

/**
 * Returns the statements that update the checks after a change of a business's account. Ends a valid check of another
 * ABN, and discards a waiting one. Alerts an admin to a new name.
 * @param changes the changed columns
 */
export function updateChecksForAccount(db: Db, businessId: string, changes: Partial<UserRow>, by: Act) {
  const { actor, now, requestId } = by;
  const statements = [];
  if (changes.abn !== undefined) {
    const isOther = sql`business_id = ${businessId} AND kind = 'abn' AND number IS NOT ${digitsOf(changes.abn)}`;
    const setState = (from: CheckState, state: CheckState) =>
      db
        .update(providerChecks)
        .set({ state })
        .where(and(isOther, eq(providerChecks.state, from)));
    const isEnding = sql`EXISTS (SELECT 1 FROM provider_checks WHERE ${isOther} AND state = 'valid')`;
    statements.push(
      auditWhen(db, isEnding, actor, {
        at: now,
        action: "check.end",
        subjectType: "user",
        subjectId: businessId,
        before: { state: "valid" },
        after: { state: "ended", kind: "abn" },
        requestId,
      }),
      setState("valid", "ended"),
      setState("waiting", "unused"),
      refreshVerified(db, businessId, now),
    );
  }
  if (["companyName", "firstName", "lastName"].some((field) => field in changes))
    statements.push(
      attentionWhen(
        db,
        {
          kind: "checked_name_changed",
          subjectId: businessId,
          detail: "The business has a new name. Compare it with its checks, and decline what is not its own.",
          since: now,
        },
        sql`FROM (SELECT 1) WHERE EXISTS
          (SELECT 1 FROM provider_checks WHERE business_id = ${businessId} AND +state = 'valid')`,
      ),
    );
  return statements;
}

/** Returns the statement that clears a business's checks, for its erasure. The next sweep deletes files and rows. */
export function deleteChecks(db: Db, businessId: string) {
  return db
    .update(providerChecks)
    .set({ state: "unused", number: null, seenOn: null, endsOn: null, reason: null, createdAt: 0 })
    .where(eq(providerChecks.businessId, businessId));
}
