import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useToast } from "../ui/toaster.tsx";
import { refreshLists } from "./refresh.ts";

/** Shows a button that reloads the market and the pipeline. On a phone, the menu contains this action. */
export function RefreshButton({ watched }: { watched: readonly string[] }) {
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
