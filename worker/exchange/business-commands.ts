import { REGIONS } from "../../contract/regions.ts";
import { exchangeOf } from "./stub.ts";
import type { Context } from "../platform/context.ts";
import { log } from "../platform/log.ts";

/**
 * Releases every hold of a business, in every region, after its deactivation. Call it after `is_active` is written,
 * which keeps the business from taking new holds. A payment that could still succeed is cancelled before its lead
 * returns. A payment that has succeeded is a sale and is delivered.
 * @returns how many holds were released. A region that does not answer is logged, and the sweep that runs each minute
 *   asks it again.
 */
export async function releaseBusiness(context: Context, businessId: string): Promise<number> {
  // Ask every region: a hold that is not in the ledger yet can be in any of them.
  const answers = await Promise.allSettled(
    REGIONS.map(({ slug }) => exchangeOf(context, slug)!.releaseBusiness(businessId)),
  );
  let released = 0;
  for (const [i, answer] of answers.entries()) {
    if (answer.status === "fulfilled") released += answer.value;
    else log("warn", "release_left_to_lapse", { region: REGIONS[i]!.slug, error: answer.reason });
  }
  return released;
}
