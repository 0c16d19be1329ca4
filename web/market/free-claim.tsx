import { useMutation, useQueryClient } from "@tanstack/react-query";
import { use, useState } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import { textToCents } from "../../contract/money.ts";
import { formatPrice } from "../lib/format-money.ts";
import { TakesAtOnce } from "./taking.ts";
import { useFreeLead } from "./use-free-lead.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";
import { DUDS_KEY, useDudDesk } from "../duds/duds.ts";

/** Shows the number of leads that the business may claim free of charge. Renders nothing at zero. */
export function FreeClaims() {
  const free = useDudDesk()?.freeClaims ?? 0;
  if (free === 0) return null;
  return <Badge tone="fresh">{free === 1 ? "1 free claim" : `${free} free claims`}</Badge>;
}

function useClaim(lead: LeadSummary, onClose: () => void) {
  const client = useQueryClient();
  const { claimed, refused } = useFreeLead(lead);
  return useMutation({
    mutationFn: () =>
      unwrap(browserApi().api.leads[":id"]["claim-with-credit"].$post({ param: { id: lead.id } })),
    onSuccess: claimed,
    onError: refused,
    onSettled: () => {
      onClose();
      return client.invalidateQueries({ queryKey: DUDS_KEY });
    },
  });
}

/**
 * Shows a button that buys a lead: with a free claim if the business has one, otherwise with money.
 * @param onPay opens the payment
 */
export function BuyButton({ lead, onPay }: { lead: LeadSummary; onPay: () => void }) {
  const free = useDudDesk()?.freeClaims ?? 0;
  const takesAtOnce = use(TakesAtOnce);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        look="main"
        // For taps before hydration: `app/early-taps.ts` takes a hold at this amount.
        data-take={takesAtOnce && free === 0 ? (textToCents(lead.price) ?? undefined) : undefined}
        onClick={() => (free > 0 ? setAsking(true) : onPay())}
      >
        {free > 0 ? "Use free claim" : `Buy for ${formatPrice(lead.price)}`}
        <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
      </Button>
      {isAsking && (
        <ClaimDialog
          lead={lead}
          free={free}
          onClose={() => setAsking(false)}
          onPay={() => {
            setAsking(false);
            onPay();
          }}
        />
      )}
    </>
  );
}

function ClaimDialog({
  lead,
  free,
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
        {lead.customerName}, {lead.suburbName ?? "NSW"} {lead.suburbPostcode}. You have{" "}
        {free === 1 ? "1 free claim" : `${free} free claims`}, so this lead costs you nothing. If someone else
        gets it first, you keep your claim.
      </p>
      <DialogFoot back={`Pay ${formatPrice(lead.price)} instead`} onBack={onPay} disabled={claim.isPending}>
        <Button look="main" isBusy={claim.isPending} onClick={() => claim.mutate()}>
          {claim.isPending ? "Claiming..." : "Use free claim"}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
