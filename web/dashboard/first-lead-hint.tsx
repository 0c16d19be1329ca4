import type { CurrentUser } from "../../contract/auth.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { AppHint } from "../notifications/app-hint.tsx";
import type { Pipeline } from "../purchases/purchases.ts";

/** Returns whether the business bought its first lead from the market within the last day. */
function isWithinDayOfFirstLead({ purchases, isComplete, syncedAt }: Pipeline): boolean {
  const bought = purchases.filter(({ mode }) => mode !== "manual");
  return (
    isComplete && bought.length > 0 && bought.every(({ purchasedAt }) => purchasedAt > syncedAt - DAY_MS)
  );
}

/** Shows how this device can announce the next lead. Appears below the first purchase for a day. */
export function FirstLeadHint({ user, pipeline }: { user: CurrentUser; pipeline: Pipeline | undefined }) {
  return !user.isImpersonating && pipeline && isWithinDayOfFirstLead(pipeline) ? (
    <AppHint user={user} />
  ) : null;
}
