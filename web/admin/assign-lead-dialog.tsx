import { useState } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import type { ProviderListItem } from "../../contract/providers.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { ProviderPicker } from "./provider-picker.tsx";
import { shownName } from "./providers.ts";

/** Asks which provider should get a lead free of charge. */
export function AssignLeadDialog({
  lead,
  isBusy,
  onAssign,
  onClose,
}: {
  lead: Pick<LeadSummary, "customerName" | "suburbName" | "suburbPostcode">;
  isBusy: boolean;
  onAssign: (provider: ProviderListItem) => void;
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState<ProviderListItem | null>(null);
  return (
    <Dialog title="Assign Lead" onClose={onClose}>
      <p>
        <bdi>{lead.customerName}</bdi>, {lead.suburbName ?? "NSW"} {lead.suburbPostcode}. The provider gets
        this lead straight away, at no charge. You can't undo this.
      </p>
      <ProviderPicker label="Assign to" chosen={chosen} onChoose={setChosen} />
      <DialogFooter onBack={onClose}>
        <Button variant="main" disabled={!chosen} isBusy={isBusy} onClick={() => chosen && onAssign(chosen)}>
          {isBusy ? "Assigning..." : chosen ? `Assign Lead to ${shownName(chosen)}` : "Assign Lead"}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
