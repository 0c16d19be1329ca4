import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { codeOf, messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatPrice } from "../lib/format-money.ts";
import { reload } from "../lib/query-client.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { removeIfUnavailable, removeLead } from "../market/market-store.ts";
import { soldTo } from "../market/passed-on.ts";
import { OwnCustomerNote } from "../market/own-customers.tsx";
import { addPurchase, PURCHASES_KEY } from "../purchases/purchases.ts";
import { callTerms } from "../purchases/call-clock.ts";
import { BuyerForm } from "./buyer-details.tsx";
import { GONE_TEXTS, GoneNotice } from "./gone-notice.tsx";
import { BoughtLead, LeadSummaryBox } from "./lead-summary.tsx";
import type { PurchaseProps } from "./purchase-dialog.tsx";

const OFFLINE = "You're offline, so nothing has been bought. Try again once you have a connection.";
const NO_RESPONSE_TEXT =
  "We couldn't reach the market. Please try again. You'll never be charged twice for the same lead.";

/** Buys a lead without a card (local development), then updates the lists. */
function useDirectPurchase(lead: LeadSummary) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form: PurchaseRequest) =>
      unwrap(browserApi().api.leads[":id"].purchase.$post({ param: { id: lead.id }, json: form })),
    onSuccess: (purchase) => {
      removeLead(client, lead, "bought");
      addPurchase(client, purchase);
    },
    onError: (error) => {
      removeIfUnavailable(client, lead, error);
      if (codeOf(error) === "details_delayed") {
        // We bought the lead, but its details are delayed.
        removeLead(client, lead, "bought");
        void reload(client, PURCHASES_KEY);
      }
    },
  });
}

/** Sells a lead without charging a card. For local development only. */
export function DirectPurchase({ lead, goneReason, onClose, onOpenPipeline }: PurchaseProps) {
  const buy = useDirectPurchase(lead);
  if (buy.data) {
    return (
      <Dialog title="It's yours" onClose={onClose}>
        <BoughtLead
          message="Lead Purchased Successfully!"
          purchase={buy.data}
          photoCount={lead.photoCount}
          onOpen={() => onOpenPipeline(buy.data.id)}
        />
      </Dialog>
    );
  }
  const code = codeOf(buy.error);
  if (code === "details_delayed") {
    return (
      <Dialog title="It's yours" onClose={onClose}>
        <p>{messageOf(buy.error, "")}</p>
        <Button onClick={() => onOpenPipeline(null)}>Open in pipeline</Button>
      </Dialog>
    );
  }
  // While our own request is pending, the market's event may be about our purchase.
  const gone = code === "lead_taken" ? "taken" : buy.isPending || goneReason === "bought" ? null : goneReason;
  const price = formatPrice(lead.price);
  return (
    <Dialog title={`Buy this lead for ${price}`} onClose={onClose}>
      <LeadSummaryBox lead={lead} />
      <OwnCustomerNote leadId={lead.id} isAboutToPay />
      {gone ? (
        <GoneNotice onClose={onClose}>{GONE_TEXTS[gone]}</GoneNotice>
      ) : (
        <>
          {buy.error && <Alert>{messageOf(buy.error, navigator.onLine ? NO_RESPONSE_TEXT : OFFLINE)}</Alert>}
          <BuyerForm onSubmit={buy.mutate}>
            <div className="stack gap-2 buy__foot">
              <Button type="submit" variant="main" className="button--large" isBusy={buy.isPending}>
                {buy.isPending ? "Buying…" : `Buy for ${price}`}
              </Button>
              <p className="muted text-sm buy__terms">
                {soldTo(lead)} {callTerms(lead)} Purchases are final.
              </p>
            </div>
          </BuyerForm>
        </>
      )}
    </Dialog>
  );
}
