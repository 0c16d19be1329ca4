import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import { formatPrice } from "../lib/format-money.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useToast } from "../ui/toaster.tsx";
import { CardForm, type OwnPhase } from "./card-form.tsx";
import { CardSkeleton } from "./card-skeleton.tsx";
import { GONE_TEXTS, GoneNotice, NOT_CHARGED } from "./gone-notice.tsx";
import { ReleaseHoldDialog } from "./release-hold-dialog.tsx";
import { BoughtLead, LeadSummaryBox } from "./lead-summary.tsx";
import { OwnCustomerNote } from "../market/own-customers.tsx";
import type { PurchaseProps } from "./purchase-dialog.tsx";
import { PurchaseFlow } from "./purchase-flow.ts";
import {
  getUnpaidHold,
  INITIAL_PHASE,
  isAffectedBySale,
  type Phase,
  RETRYABLE_CODES,
} from "./purchase-phase.ts";

/** Messages for a refused hold, by code. Other codes show the server's message. */
const REFUSED_TEXTS: Record<string, string> = {
  lead_taken: `Someone is buying this lead right now. ${NOT_CHARGED} If they don't buy it, it'll come back to your list.`,
  lead_closed: GONE_TEXTS.withdrawn,
  lead_not_found: GONE_TEXTS.withdrawn,
  price_changed: `The price of this lead has changed. ${NOT_CHARGED} Refresh the list to see the new price.`,
  too_many_holds: `You're already buying two leads. Finish or close one of them, then come back to this one. ${NOT_CHARGED}`,
  hold_ended: `We're still closing your last attempt to buy this lead. ${NOT_CHARGED} Try again in a moment.`,
};

const EXPIRED_TITLE = "Time's up for this lead";

/** Does not promise that the lead is for sale again, because an offline window cannot know. */
const ENDED = `${EXPIRED_TITLE}, so it's no longer reserved for you. ${NOT_CHARGED}`;
const GONE =
  "The lead was gone before your payment arrived. The whole amount is on its way back to your card.";

const CHECKING_TEXTS = {
  time: "Time's up. Checking you haven't been charged…",
  answer: "Checking your payment…",
};

/** Starts a purchase. @param goneReason why the lead left the market; `sold` during our hold means sold to us */
function usePurchaseFlow(lead: LeadSummary, goneReason: PurchaseProps["goneReason"]) {
  const client = useQueryClient();
  const toast = useToast();
  const [phase, setPhase] = useState(INITIAL_PHASE);
  const [flow] = useState(() => new PurchaseFlow({ lead, client, toast, onPhase: setPhase }));
  useEffect(() => flow.start(), [flow]);
  const isSold = goneReason === "sold" && isAffectedBySale(phase);
  useEffect(() => {
    if (isSold) flow.send({ type: "sold" });
  }, [isSold, flow]);
  return { phase, flow };
}

/**
 * Sells a lead by card. Opening the dialog holds the lead for five minutes, or 90 seconds for a first-time buyer.
 * Closing the dialog asks for confirmation, then releases the hold.
 */
export function CardPurchase({ lead, goneReason, onClose, onOpenPipeline }: PurchaseProps) {
  const { phase, flow } = usePurchaseFlow(lead, goneReason);
  const [isAsking, setAsking] = useState(false);
  const leave = () => {
    if (flow.close()) onClose();
  };
  const isHeld =
    phase.name === "opening" || phase.name === "held" || (phase.name === "open" && !phase.isPaying);
  const close = () => (isHeld ? setAsking(true) : leave());
  const own = formPhase(phase);
  const isBought = phase.name === "bought" || phase.name === "delayed";
  // The bank's authentication opens over this dialog, so keep the dialog out of the top layer.
  return (
    <Dialog
      title={isBought ? "It's yours" : `Buy this lead for ${formatPrice(lead.price)}`}
      onPage
      onClose={close}
    >
      {!isBought && <LeadSummaryBox lead={lead} isBrief />}
      {!isBought && <OwnCustomerNote leadId={lead.id} isAboutToPay />}
      {own && (
        // Keep the form mounted while checking: the buyer may have to pay again.
        <div className="stack gap-4" hidden={phase.name === "checking"}>
          <CardForm key={getUnpaidHold(own)?.holdId} lead={lead} phase={own} flow={flow} onEscape={close} />
        </div>
      )}
      {phase.name !== "open" && phase.name !== "held" && (
        <PurchaseOutcome
          phase={phase}
          photoCount={lead.photoCount}
          goneReason={goneReason}
          onRetry={flow.retry}
          onClose={close}
          onOpenPipeline={onOpenPipeline}
        />
      )}
      {isAsking && isHeld && (
        <ReleaseHoldDialog
          mustWait={!(phase.name === "held" && phase.isServerError)}
          onKeep={() => setAsking(false)}
          onRelease={leave}
        />
      )}
    </Dialog>
  );
}

/** Returns the phase that the form shows; null if there is nothing to pay. */
function formPhase(phase: Phase): OwnPhase | null {
  if (phase.name === "open" || phase.name === "held") return phase;
  if (phase.name !== "checking" || !phase.payment) return null;
  return { name: "open", payment: phase.payment, isPaying: true, problem: null };
}

/** Shows the current state of the purchase, such as waiting, sold or ended. The form is separate. */
function PurchaseOutcome({
  phase,
  photoCount,
  goneReason,
  onRetry,
  onClose,
  onOpenPipeline,
}: {
  phase: Exclude<Phase, { name: "open" | "held" }>;
  photoCount: number;
  goneReason: PurchaseProps["goneReason"];
  onRetry: () => void;
  onClose: () => void;
  onOpenPipeline: (purchaseId: string | null) => void;
}) {
  switch (phase.name) {
    case "opening":
      return <Waiting words="Reserving this lead…" isOpening />;
    case "checking":
      return <Waiting words={CHECKING_TEXTS[phase.why]} />;
    case "processing":
      return (
        <Waiting words="Your bank hasn't decided yet. We'll hold the lead for you until it does. You can close this window. Once the payment goes through, the lead will be in your pipeline." />
      );
    case "ended":
      return (
        <GoneNotice onClose={onClose}>
          {goneReason === null || goneReason === "bought"
            ? ENDED
            : `${EXPIRED_TITLE}. ${GONE_TEXTS[goneReason]}`}
        </GoneNotice>
      );
    case "gone":
      return <GoneNotice onClose={onClose}>{GONE}</GoneNotice>;
    case "refused":
      return (
        <Refused
          phase={phase}
          goneReason={goneReason}
          onRetry={onRetry}
          onClose={onClose}
          onOpenPipeline={onOpenPipeline}
        />
      );
    case "delayed":
      return (
        <div className="stack bought">
          <p>{phase.message}</p>
          <Button onClick={() => onOpenPipeline(null)}>Open in pipeline</Button>
        </div>
      );
    case "bought":
      return (
        <BoughtLead
          message="Payment Successful"
          purchase={phase.purchase}
          photoCount={photoCount}
          onOpen={() => onOpenPipeline(phase.purchase.id)}
        />
      );
  }
}

function Waiting({ words, isOpening = false }: { words: string; isOpening?: boolean }) {
  return (
    <div className="pay__waiting">
      {isOpening ? <CardSkeleton /> : <div className="pay__busy" aria-hidden="true" />}
      <output>{words}</output>
    </div>
  );
}

function Refused({
  phase: { code, message },
  goneReason,
  onRetry,
  onClose,
  onOpenPipeline,
}: {
  phase: Extract<Phase, { name: "refused" }>;
  goneReason: PurchaseProps["goneReason"];
  onRetry: () => void;
  onClose: () => void;
  onOpenPipeline: (purchaseId: string | null) => void;
}) {
  const isGone = goneReason !== null && goneReason !== "bought";
  const canRetry = !isGone && RETRYABLE_CODES.has(code);
  const hasOtherAction = canRetry || code === "already_bought";
  const words = isGone ? GONE_TEXTS[goneReason] : ((code && REFUSED_TEXTS[code]) ?? message);
  return (
    <div className="stack gone" role="alert">
      <p>{words}</p>
      <p className="cluster">
        {code === "already_bought" && (
          <Button variant="main" onClick={() => onOpenPipeline(null)}>
            Open in pipeline
          </Button>
        )}
        {canRetry && (
          <Button variant="main" onClick={onRetry}>
            Try again
          </Button>
        )}
        <Button variant={hasOtherAction ? "quiet" : undefined} onClick={onClose}>
          Back to the leads
        </Button>
      </p>
    </div>
  );
}
