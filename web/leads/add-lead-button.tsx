import { useEffect, useRef } from "react";

import { createLazyPart } from "../lib/lazy-part.ts";
import { useLazyDialog } from "../lib/use-lazy-dialog.ts";
import { useUrlState } from "../lib/use-url-state.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const manualLeadDialog = createLazyPart(
  async () => (await import("./manual-lead-dialog.tsx")).ManualLeadDialog,
);

/**
 * Opens a form for a lead that the provider found elsewhere. The home screen's shortcut opens it with `?add=lead`.
 * @param onAdded refreshes the pipeline
 */
export function AddLeadButton({ onAdded }: { onAdded: () => unknown }) {
  const { params, go } = useUrlState();
  const { Dialog, open, close } = useLazyDialog(manualLeadDialog);
  const wasRequestedByUrl = useRef(false);
  const isRequestedByUrl = params.get("add") === "lead";
  useEffect(() => {
    // Remove the parameter first. Otherwise going back from the form would open it again.
    if (isRequestedByUrl) go({ add: null }, true);
    else if (wasRequestedByUrl.current) void open();
    wasRequestedByUrl.current = isRequestedByUrl;
  }, [isRequestedByUrl, go, open]);
  const show = (id: string) => go({ view: null, tab: "leads", lead: id });
  return (
    <>
      <Button variant="quiet" onClick={({ currentTarget }) => void open(currentTarget)}>
        <Icon name="plus" size={18} /> <span>Add Lead</span>
      </Button>
      {Dialog && <Dialog onAdded={onAdded} onOpen={show} onClose={close} />}
    </>
  );
}
