/** An owner closes their own account. The erasure is the operator's `erase_person`, which the cron runs. */
import type { OperatorJob } from "../../../contract/operator.ts";
import type { Act } from "../../identity/audit/act.ts";
import { auditEntry } from "../../identity/audit/commands.ts";
import { enqueueNotice, type Notice } from "../../outbox/notice-commands.ts";
import type { Context } from "../../platform/context.ts";
import { operatorJobs } from "../../platform/db/schema.ts";
import type { UserRow } from "../../platform/session.ts";
import { closeBusiness, isPaying } from "./account-commands.ts";
import { closureJobId, refuseClosure } from "./closure-rules.ts";

/**
 * Closes the account of a business's owner: signs out the owner and the team, leaves every market and enqueues the
 * erasure.
 * @throws DomainError as `refuseClosure`
 */
export async function closeAccount(
  context: Context,
  owner: UserRow,
  { notice, actor, now, requestId }: Act & { notice: Notice },
): Promise<void> {
  const { db } = context;
  const { id, username, isSuperAdmin } = owner;
  // A hold that starts after this check is released, and the erasure waits for its payment.
  refuseClosure({ isSuperAdmin, isPaying: await isPaying(db, id) });
  const job: OperatorJob = { kind: "erase_person", input: { phone: null, email: null, username } };
  // An earlier closure may have failed before an admin reactivated the account.
  const fresh = { ...job, state: "waiting", leasedUntil: 0, attempts: 0, updatedAt: now } as const;
  await closeBusiness(context, owner, now, [
    db
      .insert(operatorJobs)
      .values({ ...fresh, id: closureJobId(id), createdAt: now })
      .onConflictDoUpdate({ target: operatorJobs.id, set: fresh }),
    auditEntry(db, actor, { at: now, action: "user.closed", subjectType: "user", subjectId: id, requestId }),
    ...enqueueNotice(db, notice, now),
  ]);
}
