import type { CurrentUser } from "../../contract/auth.ts";
import { useSharedHolds } from "../market/own-holds.ts";
import { useLiveMarket } from "../market/use-live-market.ts";
import { RefusedChanges } from "../purchases/refused-changes.tsx";
import { useLivePurchases } from "../purchases/use-live-purchases.ts";
import { useKeptPipeline } from "./use-kept-pipeline.ts";

/** Keeps the dashboard's lists live, says aloud what came, and which changes could not be saved. */
export function LiveLists({ user, chosen }: { user: CurrentUser; chosen: string | null }) {
  const news = useLiveMarket({ watched: user.watchedRegions, chosen, seesEverything: user.isSuperAdmin });
  useLivePurchases(user);
  useKeptPipeline(user);
  useSharedHolds();
  return (
    <>
      <output className="visually-hidden">{news}</output>
      <RefusedChanges />
    </>
  );
}
