import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import type { ProviderListItem } from "../../contract/providers.ts";
import { removeLead } from "./market-store.ts";
import { useFreeLead, useRefusal } from "./use-free-lead.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { ProviderPicker } from "../admin/provider-picker.tsx";
import { shownName } from "../admin/providers.ts";
import { addPurchase } from "../purchases/purchases.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";
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
  const [chosen, setChosen] = useState<ProviderListItem | null>(null);
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
    <Dialog title="Assign Lead" onClose={onClose}>
      <p>
        {lead.customerName}, {lead.suburbName ?? "NSW"} {lead.suburbPostcode}. The provider gets the lead free
        of charge, at once and for good.
      </p>
      <ProviderPicker label="Assign to" chosen={chosen} onChoose={setChosen} />
      <DialogFoot onBack={onClose}>
        <Button
          look="main"
          disabled={!chosen}
          isBusy={assign.isPending}
          onClick={() => chosen && assign.mutate(chosen)}
        >
          {assign.isPending ? "Assigning..." : chosen ? `Assign Lead to ${shownName(chosen)}` : "Assign Lead"}
        </Button>
      </DialogFoot>
    </Dialog>
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
