import type { LeadSummary } from "../../contract/leads.ts";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";

type Claimed = Pick<LeadSummary, "customerName" | "suburbName" | "suburbPostcode">;

export const CLAIM_TITLE = "Claim Lead";

export function ClaimText({ lead }: { lead: Claimed }) {
  return (
    <p>
      <bdi>{lead.customerName}</bdi>, {lead.suburbName ?? "NSW"} {lead.suburbPostcode}. Your own business gets
      this lead straight away, at no charge. You can't undo this.
    </p>
  );
}

/** Asks a super admin before their own business gets a lead free of charge. */
export function ClaimLeadDialog({
  lead,
  isBusy,
  onClaim,
  onClose,
}: {
  lead: Claimed;
  isBusy: boolean;
  onClaim: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmActionDialog
      title={CLAIM_TITLE}
      actionLabel={CLAIM_TITLE}
      isBusy={isBusy}
      onConfirm={onClaim}
      onClose={onClose}
    >
      <ClaimText lead={lead} />
    </ConfirmActionDialog>
  );
}
