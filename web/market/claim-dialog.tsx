import { useMutation } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import { ClaimLeadDialog } from "../admin/claim-lead-dialog.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useFreeLeadHandlers } from "./use-free-lead.ts";

/** Claims a lead for the super admin's own business, free of charge. */
export function ClaimDialog({ lead, onClose }: { lead: LeadSummary; onClose: () => void }) {
  const { claimed, refused } = useFreeLeadHandlers(lead);
  const claim = useMutation({
    mutationFn: () =>
      unwrap(browserApi().api["super-admin"]["claim-lead"][":id"].$post({ param: { id: lead.id } })),
    onSuccess: claimed,
    onError: refused,
    onSettled: onClose,
  });
  return (
    <ClaimLeadDialog lead={lead} isBusy={claim.isPending} onClaim={() => claim.mutate()} onClose={onClose} />
  );
}
