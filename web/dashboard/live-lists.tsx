import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { askWhoWeAre } from "../auth/current-user.ts";
import { useSharedHolds } from "../market/own-holds.ts";
import { useLiveMarket } from "../market/use-live-market.ts";
import { RefusedChanges } from "../purchases/refused-changes.tsx";
import { useLivePurchases } from "../purchases/use-live-purchases.ts";
import { useKeptPipeline } from "./use-kept-pipeline.ts";

let wasHere = false;

/**
 * Checks the session when the user returns from another page. Another user may have signed in in another tab. The lists
 * would then belong to the previous user.
 */
function useOnePerson(): void {
  const client = useQueryClient();
  useEffect(() => {
    if (wasHere) void askWhoWeAre(client);
    wasHere = true;
  }, [client]);
}

/** Keeps the lists live, announces arrivals to screen readers, and lists refused changes. */
export function LiveLists({ user, chosen }: { user: CurrentUser; chosen: string | null }) {
  useOnePerson();
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
