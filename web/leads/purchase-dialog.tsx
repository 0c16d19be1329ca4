import type { CurrentUser } from "../../contract/auth.ts";
import { serviceName } from "../../contract/catalogue.ts";
import { label, type LeadSummary } from "../../contract/leads.ts";
import { ApiError, codeOf, messageOf } from "../lib/api.ts";
import { ContactLinks } from "../purchases/contact-links.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { Alert } from "../ui/alert.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LeadHeading } from "./lead-card.tsx";
import { LeadFacts } from "./lead-facts.tsx";
import type { GoneReason } from "./market.ts";
import { priceWords } from "./price-words.ts";
import { PurchaseForm } from "./purchase-form.tsx";
import { useBuy } from "./use-buy.ts";

const NOT_CHARGED = "You have not been charged.";

/** What to say when the lead left the list; by whom or what it was taken. */
const GONE_WORDS: Record<Exclude<GoneReason, "bought">, string> = {
  taken: `Somebody was a moment faster. ${NOT_CHARGED}`,
  sold: `This lead was sold a moment ago. ${NOT_CHARGED}`,
  withdrawn: `This lead is no longer on the market. ${NOT_CHARGED}`,
  expired: `This lead has expired. ${NOT_CHARGED}`,
};

const OFFLINE_WORDS =
  "We could not reach the market. Please try again: a lead you already bought is never charged twice.";

/** Shows a lead and its price, and buys it. */
export function PurchaseDialog({
  lead,
  goneReason,
  user,
  payments,
  onClose,
  onOpenPipeline,
}: {
  lead: LeadSummary;
  /** Why the lead left the market meanwhile; null while it is for sale. */
  goneReason: GoneReason | null;
  user: CurrentUser;
  payments: "stripe" | "direct";
  onClose: () => void;
  onOpenPipeline: (purchaseId: string | null) => void;
}) {
  const buy = useBuy(lead);
  const where = `${lead.suburbName ?? "NSW"} ${lead.suburbPostcode ?? ""}`.trim();
  if (buy.data) {
    return (
      <Dialog title="It's yours" onClose={onClose}>
        <Bought purchase={buy.data} onOpen={() => onOpenPipeline(buy.data.id)} />
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
  // While our own answer is on its way, the event may be about us.
  const gone = code === "lead_taken" ? "taken" : buy.isPending || goneReason === "bought" ? null : goneReason;
  return (
    <Dialog title={`Buy this lead for ${priceWords(lead.price)}`} onClose={onClose}>
      <Summary lead={lead} where={where} />
      {gone ? (
        <div className="gone" role="alert">
          <p>{GONE_WORDS[gone]}</p>
          <Button onClick={onClose}>Back to the leads</Button>
        </div>
      ) : (
        <Payment user={user} payments={payments} lead={lead} buy={buy} />
      )}
    </Dialog>
  );
}

function Summary({ lead, where }: { lead: LeadSummary; where: string }) {
  return (
    <section className="summary" aria-label={`The lead in ${where}`}>
      <LeadHeading lead={lead} />
      <p className="lead__services">{lead.serviceType.map(serviceName).join(" + ")}</p>
      <p className="lead__tags">
        <Badge tone={lead.urgency === "urgent" ? "hot" : "neutral"}>{label(lead.urgency)}</Badge>
        <Badge>{label(lead.frequency)}</Badge>
        <Badge>{lead.customerName}</Badge>
        <Badge>{lead.customerPhone}</Badge>
      </p>
      {lead.specificRequests && <blockquote className="lead__words">{lead.specificRequests}</blockquote>}
      <LeadFacts job={lead} />
    </section>
  );
}

function Payment({
  user,
  payments,
  lead,
  buy,
}: {
  user: CurrentUser;
  payments: "stripe" | "direct";
  lead: LeadSummary;
  buy: ReturnType<typeof useBuy>;
}) {
  if (payments === "stripe" || codeOf(buy.error) === "payments_unavailable") {
    return (
      <p className="buy__later">
        Card payments arrive with the next release. Until then leads cannot be bought here, and nothing is
        charged.
      </p>
    );
  }
  const errors = buy.error instanceof ApiError ? (buy.error.problem?.errors ?? {}) : {};
  return (
    <>
      {buy.error && <Alert>{messageOf(buy.error, OFFLINE_WORDS)}</Alert>}
      <PurchaseForm
        user={user}
        submitLabel={`Buy for ${priceWords(lead.price)}`}
        isBusy={buy.isPending}
        serverErrors={errors}
        onSubmit={buy.mutate}
      />
    </>
  );
}

function Bought({ purchase, onOpen }: { purchase: PurchasedLead; onOpen: () => void }) {
  return (
    <div className="bought">
      <h3>{purchase.customerName}</h3>
      <p>
        {purchase.serviceType.map(serviceName).join(" + ")}
        {purchase.suburbName && ` in ${purchase.suburbName} ${purchase.suburbPostcode ?? ""}`}
      </p>
      <ContactLinks contact={purchase} />
      {purchase.specificRequests && (
        <blockquote className="lead__words">{purchase.specificRequests}</blockquote>
      )}
      <LeadFacts job={purchase} />
      <Button look="quiet" onClick={onOpen}>
        Open in pipeline
      </Button>
    </div>
  );
}
