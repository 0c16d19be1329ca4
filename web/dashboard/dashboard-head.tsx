import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useUser } from "../auth/current-user.ts";
import { FreeClaims } from "../market/free-claim.tsx";
import { ImpersonateButton } from "../impersonation/impersonate-button.tsx";
import { TeamButton } from "../team/team-button.tsx";
import { Badge } from "../ui/badge.tsx";
import { AddLeadButton } from "../leads/add-lead-button.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useToast } from "../ui/toaster.tsx";
import { refreshLists } from "./refresh.ts";

/**
 * Shows the dashboard's title and buttons. Each button is a component in its own folder and opens its own dialog. Only
 * this component decides which users see which button.
 */
export function DashboardHead({
  refetchPurchases,
  search,
}: {
  /** The search button. */
  search: React.ReactNode;
  refetchPurchases: () => Promise<{ error: Error | null }>;
}) {
  const user = useUser();
  const isTeam = user.userType === "team_member";
  return (
    <header className="cluster head">
      <h1>{isTeam ? "CRM Dashboard" : "Lead Dashboard"}</h1>
      {isTeam ? <Badge tone="warm">CRM Access Only</Badge> : <FreeClaims />}
      <div className="cluster gap-2 head__actions">
        {search}
        <RefreshButton watched={user.watchedRegions} />
        {!isTeam && <AddLeadButton onAdded={refetchPurchases} />}
        {!isTeam && <TeamButton />}
        {user.isSuperAdmin && !user.isImpersonating && <ImpersonateButton />}
      </div>
    </header>
  );
}

/** Shows a button that reloads the market and the pipeline. On a phone, the menu contains this action. */
function RefreshButton({ watched }: { watched: readonly string[] }) {
  const client = useQueryClient();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    toast(await refreshLists(client, watched));
    setBusy(false);
  };
  return (
    <Button variant="quiet" className="head__refresh" isBusy={isBusy} onClick={() => void refresh()}>
      <Icon name="refresh" size={18} /> <span>Refresh</span>
    </Button>
  );
}
