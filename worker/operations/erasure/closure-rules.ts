import { DomainError } from "../../platform/errors.ts";

const CLOSURE_JOB = "job_closure_";

/** Returns the ID of the job that erases an account, with its business, after its user has closed it. */
export const closureJobId = (userId: string): string => `${CLOSURE_JOB}${userId}`;

/** Returns the ID of the user who closed the account that a job erases; null for any other job. */
export const closedUserId = (jobId: string): string | null =>
  jobId.startsWith(CLOSURE_JOB) ? jobId.slice(CLOSURE_JOB.length) : null;

/**
 * Refuses to close a super admin's account, which we never erase, and one that is paying for a lead.
 * @throws DomainError forbidden for a super admin; open_purchase while the business holds a lead
 */
export function refuseClosure({
  isSuperAdmin,
  isPaying,
}: {
  isSuperAdmin: boolean;
  isPaying: boolean;
}): void {
  if (isSuperAdmin)
    throw new DomainError(
      "forbidden",
      "You're a super admin. Ask another admin to remove your admin rights first.",
    );
  if (isPaying)
    throw new DomainError(
      "open_purchase",
      "You're buying a lead. Finish or close the payment first. Then you can close your account.",
    );
}
