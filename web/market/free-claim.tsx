import { useMutation, useQueryClient } from "@tanstack/react-query";
import { use, useState } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import { textToCents } from "../../contract/money.ts";
import { formatPrice } from "../lib/format-money.ts";
import { HoldsOnTap } from "./hold-on-tap.ts";
import { useFreeLeadHandlers } from "./use-free-lead.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { reload } from "../lib/query-client.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { BAD_LEADS_KEY, useFreeClaimCount } from "../bad-leads/bad-leads.ts";

/** Shows the number of leads that the business may claim free of charge. Renders nothing at zero. */
export function FreeClaims() {
  const freeClaimCount = useFreeClaimCount();
  if (freeClaimCount === 0) return null;
  return (
    <Badge tone="fresh">{freeClaimCount === 1 ? "1 free claim" : `${freeClaimCount} free claims`}</Badge>
  );
}

function useClaim(lead: LeadSummary, onClose: () => void) {
  const client = useQueryClient();
  const { claimed, refused } = useFreeLeadHandlers(lead);
  return useMutation({
    mutationFn: () =>
      unwrap(browserApi().api.leads[":id"]["claim-with-credit"].$post({ param: { id: lead.id } })),
    onSuccess: claimed,
    onError: refused,
    onSettled: () => {
      onClose();
      return reload(client, BAD_LEADS_KEY);
    },
  });
}

/**
 * Shows a button that buys a lead: with a free claim if the business has one of the lead's price, otherwise with money.
 * @param onPay opens the payment. The argument is this button.
 */
export function BuyButton({ lead, onPay }: { lead: LeadSummary; onPay: (button: HTMLElement) => void }) {
  const freeClaimCount = useFreeClaimCount(lead.price);
  const holdsOnTap = use(HoldsOnTap);
  /** The button while the dialog asks whether to use the free claim; otherwise null. */
  const [asking, setAsking] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        variant="main"
        // For taps before hydration: `app/early-taps.ts` takes a hold at this amount.
        data-take={holdsOnTap && freeClaimCount === 0 ? (textToCents(lead.price) ?? undefined) : undefined}
        onClick={({ currentTarget }) =>
          freeClaimCount > 0 ? setAsking(currentTarget) : onPay(currentTarget)
        }
      >
        {freeClaimCount > 0 ? "Use free claim" : `Buy for ${formatPrice(lead.price)}`}
        <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
      </Button>
      {asking && (
        <ClaimDialog
          lead={lead}
          free={freeClaimCount}
          onClose={() => setAsking(null)}
          onPay={() => {
            setAsking(null);
            onPay(asking);
          }}
        />
      )}
    </>
  );
}

function ClaimDialog({
  lead,
  free: freeClaimCount,
  onClose,
  onPay,
}: {
  lead: LeadSummary;
  free: number;
  onClose: () => void;
  onPay: () => void;
}) {
  const claim = useClaim(lead, onClose);
  return (
    <Dialog title="Use your free claim?" onClose={onClose}>
      <p>
        <bdi>{lead.customerName}</bdi>, {lead.suburbName ?? "NSW"} {lead.suburbPostcode}. You have{" "}
        {freeClaimCount === 1 ? "1 free claim" : `${freeClaimCount} free claims`}, so this lead costs you
        nothing. If someone else gets it first, you'll keep your claim.
      </p>
      <DialogFooter back={`Pay ${formatPrice(lead.price)} instead`} onBack={onPay} disabled={claim.isPending}>
        <Button variant="main" isBusy={claim.isPending} onClick={() => claim.mutate()}>
          {claim.isPending ? "Claiming..." : "Use free claim"}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
