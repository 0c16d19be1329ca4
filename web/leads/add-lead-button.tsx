import { useEffect, useRef } from "react";

import { latePart } from "../lib/late-part.ts";
import { useLateDialog } from "../lib/use-late-dialog.ts";
import { usePlace } from "../lib/use-place.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const manualLeadDialog = latePart(async () => (await import("./manual-lead-dialog.tsx")).ManualLeadDialog);

/**
 * Opens a form for a lead that the provider found elsewhere. The home screen's shortcut opens it with `?add=lead`.
 * @param onAdded refreshes the pipeline
 */
export function AddLeadButton({ onAdded }: { onAdded: () => unknown }) {
  const { params, go } = usePlace();
  const { Dialog, open, close } = useLateDialog(manualLeadDialog);
  const wasAsked = useRef(false);
  const isAsked = params.get("add") === "lead";
  useEffect(() => {
    // Remove the parameter first. Otherwise going back from the form would open it again.
    if (isAsked) go({ add: null }, true);
    else if (wasAsked.current) void open();
    wasAsked.current = isAsked;
  }, [isAsked, go, open]);
  const show = (id: string) => go({ view: null, tab: "leads", lead: id });
  return (
    <>
      <Button look="quiet" onClick={({ currentTarget }) => void open(currentTarget)}>
        <Icon name="plus" size={18} /> <span>Add Lead</span>
      </Button>
      {Dialog && <Dialog onAdded={onAdded} onOpen={show} onClose={close} />}
    </>
  );
}
