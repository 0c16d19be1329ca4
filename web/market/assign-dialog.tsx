import { isolate } from "../../contract/names.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import type { ProviderListItem } from "../../contract/providers.ts";
import { AssignLeadDialog } from "../admin/assign-lead-dialog.tsx";
import { shownName } from "../admin/providers.ts";
import { useUser } from "../auth/current-user.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { addPurchase } from "../purchases/purchases.ts";
import { useToast } from "../ui/toaster.tsx";
import { removeLead } from "./market-store.ts";
import { useShowRefusal } from "./use-free-lead.ts";

/** Assigns a lead to a provider, free of charge. */
export function AssignDialog({ lead, onClose }: { lead: LeadSummary; onClose: () => void }) {
  const { businessId } = useUser();
  const client = useQueryClient();
  const toast = useToast();
  const refused = useShowRefusal(lead, "Failed to Assign Lead", "Unable to assign lead");
  const assign = useMutation({
    mutationFn: (provider: ProviderListItem) =>
      unwrap(
        browserApi().api["super-admin"]["assign-lead"][":leadId"][":providerId"].$post({
          param: { leadId: lead.id, providerId: provider.id },
        }),
      ),
    onSuccess: (purchase, provider) => {
      removeLead(client, lead, "taken");
      if (provider.id === businessId) addPurchase(client, purchase);
      toast({
        title: "Lead Assigned",
        description: `${isolate(purchase.customerName)} is in the pipeline of ${isolate(shownName(provider))}.`,
      });
      onClose();
    },
    onError: refused,
  });
  return (
    <AssignLeadDialog lead={lead} isBusy={assign.isPending} onAssign={assign.mutate} onClose={onClose} />
  );
}
