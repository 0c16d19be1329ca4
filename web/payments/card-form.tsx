import { lazy, Suspense, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import {
  formatCard,
  SAVE_CARD_CONSENT,
  SAVE_CARD_CONSENTS,
  type SavedCard,
} from "../../contract/payments.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { formatPrice } from "../lib/format-money.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { BuyerForm } from "./buyer-details.tsx";
import type { PayTyped } from "./card-entry.tsx";
import { CardSkeleton } from "./card-skeleton.tsx";
import { HoldClock } from "./hold-clock.tsx";
import { type OpenPayment, tellKeep } from "./purchase-api.ts";
import { CardLabel } from "./saved-cards.tsx";
import { useSavedCards } from "./saved-cards-query.ts";
import type { Phase } from "./purchase-phase.ts";
import type { useCardPurchase } from "./use-card-purchase.ts";

// Stripe's code comes with the first card that is typed in; a kept one does without.
const CardEntry = lazy(async () => ({ default: (await import("./card-entry.tsx")).CardEntry }));

/** Which card pays: the latest kept one at first; null when there is none or another one is wanted. */
function useCardChoice() {
  const { data: cards = [], isPending } = useSavedCards();
  const [chosen, setChosen] = useState<string | null>(null);
  // NEW_CARD is no kept card's id.
  const card = cards.find(({ id }) => id === (chosen ?? cards[0]?.id)) ?? null;
  return { cards, isPending, card, choose: setChosen };
}

/** A card that is typed in: the way to pay with it, and whether it is kept for the next lead. */
function useTypedCard(holdId: string) {
  const [payTyped, setPayTyped] = useState<PayTyped | null>(null);
  const [isKept, setKept] = useState(false);
  const [wasKept, setWasKept] = useState(false);
  const prepare = async () => {
    if (isKept === wasKept) return;
    await tellKeep(holdId, isKept);
    setWasKept(isKept);
  };
  return {
    isKept,
    setKept,
    onReady: (pay: PayTyped | null) => setPayTyped(() => pay),
    /** Null until the fields can be typed into. */
    pay: payTyped && ((buyer: PurchaseRequest) => payTyped(buyer, isKept, prepare)),
  };
}

/** Who buys and with which card, and the one button that pays. */
export function CardForm({
  lead,
  user,
  phase,
  purchase,
  onEscape,
}: {
  lead: LeadSummary;
  user: CurrentUser;
  phase: Extract<Phase, { name: "open" }>;
  purchase: ReturnType<typeof useCardPurchase>;
  onEscape: () => void;
}) {
  const { payment } = phase;
  const { cards, isPending, card, choose } = useCardChoice();
  const typed = useTypedCard(payment.holdId);

  function submit(buyer: PurchaseRequest) {
    const { pay } = typed;
    if (card) void purchase.payWithCard(buyer, card.id);
    else if (pay) void purchase.pay(buyer, () => pay(buyer));
  }

  return (
    <>
      <HoldClock endsAt={payment.endsAt} holdMs={payment.holdMs} />
      <BuyerForm user={user} onSubmit={submit}>
        {isPending ? (
          <CardSkeleton />
        ) : (
          <section className="pay" aria-label="Payment">
            {cards.length > 0 && <CardChoice cards={cards} chosen={card} onChoose={choose} />}
            {!card && <NewCard payment={payment} typed={typed} onEscape={onEscape} />}
          </section>
        )}
        <PayFoot
          price={formatPrice(lead.price)}
          card={card}
          phase={phase}
          canPay={Boolean(card ?? typed.pay)}
        />
      </BuyerForm>
    </>
  );
}

function NewCard({
  payment,
  typed,
  onEscape,
}: {
  payment: OpenPayment;
  typed: ReturnType<typeof useTypedCard>;
  onEscape: () => void;
}) {
  return (
    <>
      <Suspense fallback={<CardSkeleton />}>
        <CardEntry payment={payment} onReady={typed.onReady} onEscape={onEscape} />
      </Suspense>
      <label className="pay__keep">
        <input type="checkbox" checked={typed.isKept} onChange={() => typed.setKept(!typed.isKept)} />
        <span>{SAVE_CARD_CONSENTS[SAVE_CARD_CONSENT]}</span>
      </label>
    </>
  );
}

function PayFoot({
  price,
  card,
  phase: { isPaying, problem },
  canPay,
}: {
  price: string;
  card: SavedCard | null;
  phase: Extract<Phase, { name: "open" }>;
  canPay: boolean;
}) {
  const words = card ? `Pay ${price} with ${formatCard(card)}` : `Pay ${price}`;
  // With a kept card the button is all that is needed: it stays in reach.
  return (
    <div className={card ? "buy__foot" : "buy__foot buy__foot--still"}>
      {problem && <Alert>{problem}</Alert>}
      <Button type="submit" look="main" className="button--large" isBusy={isPaying} disabled={!canPay}>
        {isPaying ? "Paying…" : words}
      </Button>
      <p className="buy__terms">
        {isPaying
          ? "Please keep this window open."
          : "Sold to one provider only. Purchases are final. Closing this window lets the lead go."}
      </p>
    </div>
  );
}

const NEW_CARD = "new";

function CardChoice({
  cards,
  chosen,
  onChoose,
}: {
  cards: SavedCard[];
  chosen: SavedCard | null;
  onChoose: (id: string) => void;
}) {
  return (
    <fieldset className="cards">
      <legend className="visually-hidden">Card to pay with</legend>
      {cards.map((card) => (
        <label key={card.id} className="cards__one">
          <input
            type="radio"
            name="card"
            checked={chosen?.id === card.id}
            onChange={() => onChoose(card.id)}
          />
          <CardLabel card={card} />
        </label>
      ))}
      <label className="cards__one">
        <input type="radio" name="card" checked={chosen === null} onChange={() => onChoose(NEW_CARD)} />
        <span>Another card</span>
      </label>
    </fieldset>
  );
}
