import { callTimeBetween } from "../../../contract/call-clock.ts";
import {
  CALL_RESULTS,
  CALLED_RESULTS,
  type CallResult,
  COUNTED_RESULTS,
  medianOf,
  type Standing,
} from "../../../contract/standing.ts";

/** A bought lead with a call clock. Times are in epoch ms. */
export type ClockedSale = { purchasedAt: number; calledAt: number | null; result: CallResult };

/** Returns the counted time from the sale to the call, in ms; null without a call. */
export function waitOf({ purchasedAt, calledAt }: Pick<ClockedSale, "purchasedAt" | "calledAt">) {
  return calledAt === null ? null : callTimeBetween(purchasedAt, calledAt);
}

const isIn = (results: readonly CallResult[], result: CallResult) => results.includes(result);

/** Adds up the results of bought leads. */
export function standingOf(sales: readonly ClockedSale[]): Standing {
  const counts = Object.fromEntries(
    CALL_RESULTS.map((result) => [result, sales.filter((sale) => sale.result === result).length]),
  ) as Record<CallResult, number>;
  const counted = COUNTED_RESULTS.reduce((sum, result) => sum + counts[result], 0);
  const waits = sales
    .filter(({ result }) => isIn(CALLED_RESULTS, result))
    .flatMap((sale) => waitOf(sale) ?? []);
  return {
    ...counts,
    bought: sales.length,
    counted,
    share: counted === 0 ? null : counts.in_time / counted,
    medianMs: medianOf(waits),
  };
}
