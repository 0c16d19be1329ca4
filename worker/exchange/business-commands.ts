import { REGIONS } from "../../contract/regions.ts";
import { exchangeOf } from "./stub.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";

/**
 * Lets go of everything a business holds, wherever: it was deactivated. Call it after `is_active` is
 * written, which keeps it from taking new holds. A payment that could still succeed is cancelled before
 * its lead returns; one that has succeeded is a sale and is delivered.
 * @returns how many holds were let go of. A region that does not answer is logged, and the minute's sweep
 *   asks it again.
 */
export async function releaseBusiness(env: Env, businessId: string): Promise<number> {
  // A hold that has not reached the ledger yet can be in any region, so all of them are asked.
  const answers = await Promise.allSettled(
    REGIONS.map(({ slug }) => exchangeOf(env, slug)!.releaseBusiness(businessId)),
  );
  let released = 0;
  for (const [i, answer] of answers.entries()) {
    if (answer.status === "fulfilled") released += answer.value;
    else log("warn", "release_left_to_lapse", { region: REGIONS[i]!.slug, error: answer.reason });
  }
  return released;
}
