import { useMutation } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import { useFreeLeadHandlers } from "./use-free-lead.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Button } from "../ui/button.tsx";

/** Lets a super admin claim a lead for their own business, free of charge. */
function ClaimFreeButton({ lead }: { lead: LeadSummary }) {
  const { claimed, refused } = useFreeLeadHandlers(lead);
  const claim = useMutation({
    mutationFn: () =>
      unwrap(browserApi().api["super-admin"]["claim-lead"][":id"].$post({ param: { id: lead.id } })),
    onSuccess: claimed,
    onError: refused,
  });
  return (
    <Button variant="quiet" isBusy={claim.isPending} onClick={() => claim.mutate()}>
      Claim Free
      <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
    </Button>
  );
}

/** Shows a super admin's actions on an available lead, besides buying it. */
export function AssignOrClaimLead({
  lead,
  onAssign,
}: {
  lead: LeadSummary;
  onAssign: (button: HTMLElement) => void;
}) {
  return (
    <>
      <ClaimFreeButton lead={lead} />
      <Button variant="quiet" onClick={({ currentTarget }) => onAssign(currentTarget)}>
        Assign
        <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
      </Button>
    </>
  );
}
