/** An owner or a customer closes their own account. The erasure is the operator's `erase_person`, which the cron runs. */
import type { OperatorJob } from "../../../contract/operator.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import { enqueueNotice, type Notice } from "../../outbox/commands.ts";
import { isSentByAccount } from "../../customer/my-requests/store.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { operatorJobs } from "../tables.ts";
import { log } from "../../platform/log.ts";
import type { UserRow } from "../../platform/caller.ts";
import { closeBusiness, deactivateAccounts, isPaying } from "./account-commands.ts";
import { closureJobId, refuseClosure } from "./rules.ts";
import { listTeamOf } from "./queries.ts";
import { storeErasures } from "./request-commands.ts";

type Closure = Act & { notice: Notice };

/** Returns the statements that enqueue the erasure of a closed account. */
function closureStatements(db: Db, { id, username }: UserRow, { notice, actor, now, requestId }: Closure) {
  const job: OperatorJob = { kind: "erase_person", input: { phone: null, email: null, username } };
  // An earlier closure may have failed before an admin reactivated the account.
  const fresh = { ...job, state: "waiting", leasedUntil: 0, attempts: 0, updatedAt: now } as const;
  return [
    db
      .insert(operatorJobs)
      .values({ ...fresh, id: closureJobId(id), createdAt: now })
      .onConflictDoUpdate({ target: operatorJobs.id, set: fresh }),
    auditEntry(db, actor, { at: now, action: "user.closed", subjectType: "user", subjectId: id, requestId }),
    ...enqueueNotice(db, notice, now),
  ];
}

/**
 * Closes a customer's account: signs the customer out, and enqueues the erasure of the account and of the requests that
 * they sent while signed in. Other requests with the same email or number may be another person's.
 * @throws DomainError as `refuseClosure`
 */
export async function closeCustomerAccount(
  context: Context,
  customer: UserRow,
  closure: Closure,
): Promise<void> {
  const { db } = context;
  const { now } = closure;
  refuseClosure({ isSuperAdmin: customer.isSuperAdmin, isPaying: false });
  await deactivateAccounts(context, [customer.id], now, [
    storeErasures(db, isSentByAccount(customer), now),
    ...closureStatements(db, customer, closure),
  ]);
}

/**
 * Closes the account of a business's owner: signs out the owner and the team, leaves every market and enqueues the
 * erasure.
 * @throws DomainError as `refuseClosure`
 */
export async function closeAccount(context: Context, owner: UserRow, closure: Closure): Promise<void> {
  const { db } = context;
  const { id, isSuperAdmin } = owner;
  // A hold that starts after this check is released, and the erasure waits for its payment.
  refuseClosure({ isSuperAdmin, isPaying: await isPaying(db, id) });
  const team = await listTeamOf(db, id);
  const ids = [id, ...team.map((member) => member.id)];
  await deactivateAccounts(context, ids, closure.now, closureStatements(db, owner, closure));
  // The account is closed now, so a failure must not say otherwise. The cron repeats this within a minute.
  await closeBusiness(context, owner, closure.now).catch((error: unknown) =>
    log("warn", "closure_delayed", { userId: id, error }),
  );
}
