import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { messageOf } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useToast } from "../ui/toaster.tsx";
import { refreshRegions } from "../market/market-store.ts";

/** Loads the market and the pipeline anew, for people who want to be sure. */
export function RefreshButton({
  watched,
  refetchPurchases,
}: {
  watched: readonly string[];
  refetchPurchases: () => Promise<{ error: Error | null }>;
}) {
  const client = useQueryClient();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    try {
      const [{ error }] = await Promise.all([refetchPurchases(), refreshRegions(client, watched)]);
      if (error) throw error;
      toast({ title: "Refreshed", description: "Lead data updated" });
    } catch (error) {
      toast({
        title: "Refresh failed",
        description: messageOf(error, "Please check your connection and try again."),
        tone: "destructive",
      });
    }
    setBusy(false);
  };
  return (
    <Button look="quiet" isBusy={isBusy} onClick={() => void refresh()}>
      <Icon name="refresh" size={18} /> <span>Refresh</span>
    </Button>
  );
}
