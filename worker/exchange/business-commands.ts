import { REGIONS } from "../../contract/regions.ts";
import { exchangeOf } from "./stub.ts";
import type { Context } from "../platform/context.ts";
import { log } from "../platform/log.ts";

/**
 * Releases every hold of a business, in every region, after its deactivation. Call it after clearing `is_active`, which
 * prevents new holds. A payment that could still succeed is cancelled before its lead returns to the market. A payment
 * that has succeeded becomes a sale.
 * @returns how many holds were released. Failed regions are logged. The sweep that runs each minute retries them.
 */
export async function releaseBusiness(context: Context, businessId: string): Promise<number> {
  // Call every region: any region may have a hold that is not in the ledger yet.
  const results = await Promise.allSettled(
    REGIONS.map(({ slug }) => exchangeOf(context, slug)!.releaseBusiness(businessId)),
  );
  let released = 0;
  for (const [i, result] of results.entries()) {
    if (result.status === "fulfilled") released += result.value;
    else log("warn", "release_left_to_lapse", { region: REGIONS[i]!.slug, error: result.reason });
  }
  return released;
}
