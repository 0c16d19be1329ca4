import type { CustomerRequest } from "../../contract/request-links.ts";

/** Returns whether the customer can still change the job. */
export function canChangeJob(request: CustomerRequest): boolean {
  const { isExpired, isWithdrawalPending, isErasurePending, isCalledOff, steps } = request;
  const isOver = isExpired || isWithdrawalPending || isErasurePending || isCalledOff;
  return !isOver && steps.every(({ step }) => step !== "done");
}
