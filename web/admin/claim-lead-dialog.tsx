import type { LeadSummary } from "../../contract/leads.ts";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";

/** Asks a super admin before their own business gets a lead free of charge. */
export function ClaimLeadDialog({
  lead,
  isBusy,
  onClaim,
  onClose,
}: {
  lead: Pick<LeadSummary, "customerName" | "suburbName" | "suburbPostcode">;
  isBusy: boolean;
  onClaim: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmActionDialog
      title="Claim Lead"
      actionLabel="Claim Lead"
      isBusy={isBusy}
      onConfirm={onClaim}
      onClose={onClose}
    >
      <p>
        <bdi>{lead.customerName}</bdi>, {lead.suburbName ?? "NSW"} {lead.suburbPostcode}. Your own business
        gets this lead straight away, at no charge. You can't undo this.
      </p>
    </ConfirmActionDialog>
  );
}
