import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import type { ProviderListItem } from "../../contract/providers.ts";
import { removeLead } from "./market-store.ts";
import { useFreeLead, useRefusal } from "./use-free-lead.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { AssignLeadDialog } from "../admin/assign-lead-dialog.tsx";
import { shownName } from "../admin/providers.ts";
import { addPurchase } from "../purchases/purchases.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";

/** Takes a lead for the admin's own business, free of charge. */
function ClaimFreeButton({ lead }: { lead: LeadSummary }) {
  const { claimed, refused } = useFreeLead(lead);
  const claim = useMutation({
    mutationFn: () =>
      unwrap(browserApi().api["super-admin"]["claim-lead"][":id"].$post({ param: { id: lead.id } })),
    onSuccess: claimed,
    onError: refused,
  });
  return (
    <Button look="quiet" isBusy={claim.isPending} onClick={() => claim.mutate()}>
      Claim Free
      <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
    </Button>
  );
}

/** Gives a lead to a provider, free of charge. */
export function AssignDialog({
  lead,
  user,
  onClose,
}: {
  lead: LeadSummary;
  user: CurrentUser;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const toast = useToast();
  const refused = useRefusal(lead, "Failed to Assign Lead", "Unable to assign lead");
  const assign = useMutation({
    mutationFn: (provider: ProviderListItem) =>
      unwrap(
        browserApi().api["super-admin"]["assign-lead"][":leadId"][":providerId"].$post({
          param: { leadId: lead.id, providerId: provider.id },
        }),
      ),
    onSuccess: (purchase, provider) => {
      removeLead(client, lead, "taken");
      if (provider.id === user.businessId) addPurchase(client, purchase);
      toast({
        title: "Lead Assigned",
        description: `${purchase.customerName} is in the pipeline of ${shownName(provider)}.`,
      });
      onClose();
    },
    onError: refused,
  });
  return (
    <AssignLeadDialog lead={lead} isBusy={assign.isPending} onAssign={assign.mutate} onClose={onClose} />
  );
}

/** What a super admin may do with an available lead besides buying it. */
export function GiveLead({ lead, onAssign }: { lead: LeadSummary; onAssign: () => void }) {
  return (
    <>
      <ClaimFreeButton lead={lead} />
      <Button look="quiet" onClick={onAssign}>
        Assign
        <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
      </Button>
    </>
  );
}
