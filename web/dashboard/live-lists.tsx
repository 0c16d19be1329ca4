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
 * Asks who is signed in when somebody comes back to the dashboard from another page: another tab may have signed
 * somebody else in while nothing here listened, and the lists are the former person's.
 */
function useOnePerson(): void {
  const client = useQueryClient();
  useEffect(() => {
    if (wasHere) void askWhoWeAre(client);
    wasHere = true;
  }, [client]);
}

/** Keeps the dashboard's lists live, says aloud what came, and which changes could not be saved. */
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
