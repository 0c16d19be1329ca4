import { lazy, Suspense, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { cardWords, SAVE_CARD_CONSENT, SAVE_CARD_CONSENTS, type SavedCard } from "../../contract/payments.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { priceWords } from "../leads/price-words.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { BuyerForm } from "./buyer-details.tsx";
import type { PayTyped } from "./card-entry.tsx";
import { CardSkeleton } from "./card-skeleton.tsx";
import { HoldClock } from "./hold-clock.tsx";
import { tellKeep } from "./purchase-api.ts";
import { CardWords } from "./saved-cards.tsx";
import { useSavedCards } from "./saved-cards-query.ts";
import type { Phase, useCardPurchase } from "./use-card-purchase.ts";

// Stripe's code comes with the first card that is typed in; a kept one does without.
const CardEntry = lazy(async () => ({ default: (await import("./card-entry.tsx")).CardEntry }));

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
  const { payment, isPaying, problem } = phase;
  const kept = useSavedCards();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isKept, setKept] = useState(false);
  const [wasKept, setWasKept] = useState(false);
  const [payTyped, setPayTyped] = useState<PayTyped | null>(null);

  const cards = kept.data ?? [];
  // The latest card at first; NEW_CARD when there is none or another one is wanted.
  const card = cards.find(({ id }) => id === (chosen ?? cards[0]?.id)) ?? null;
  const price = priceWords(lead.price);

  function submit(buyer: PurchaseRequest) {
    if (card) return void purchase.payWithCard(buyer, card.id);
    if (!payTyped) return;
    void purchase.pay(buyer, () =>
      payTyped(buyer, isKept, async () => {
        if (isKept === wasKept) return;
        await tellKeep(payment.holdId, isKept);
        setWasKept(isKept);
      }),
    );
  }

  return (
    <>
      <HoldClock endsAt={payment.endsAt} />
      <BuyerForm user={user} onSubmit={submit}>
        {kept.isPending ? (
          <CardSkeleton />
        ) : (
          <section className="pay" aria-label="Payment">
            {cards.length > 0 && <CardChoice cards={cards} chosen={card} onChoose={setChosen} />}
            {!card && (
              <>
                <Suspense fallback={<CardSkeleton />}>
                  <CardEntry
                    payment={payment}
                    onReady={(pay) => setPayTyped(() => pay)}
                    onEscape={onEscape}
                  />
                </Suspense>
                <label className="pay__keep">
                  <input type="checkbox" checked={isKept} onChange={() => setKept(!isKept)} />
                  <span>{SAVE_CARD_CONSENTS[SAVE_CARD_CONSENT]}</span>
                </label>
              </>
            )}
          </section>
        )}
        {/* With a kept card the button is all that is needed: it stays in reach. */}
        <div className={card ? "buy__foot" : "buy__foot buy__foot--still"}>
          {problem && <Alert>{problem}</Alert>}
          <Button
            type="submit"
            look="main"
            className="button--large"
            isBusy={isPaying}
            disabled={!card && !payTyped}
          >
            {isPaying ? "Paying…" : card ? `Pay ${price} with ${cardWords(card)}` : `Pay ${price}`}
          </Button>
          <p className="buy__terms">
            {isPaying
              ? "Please keep this window open."
              : "Sold to one provider only. Purchases are final. Closing this window lets the lead go."}
          </p>
        </div>
      </BuyerForm>
    </>
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
          <CardWords card={card} />
        </label>
      ))}
      <label className="cards__one">
        <input type="radio" name="card" checked={chosen === null} onChange={() => onChoose(NEW_CARD)} />
        <span>Another card</span>
      </label>
    </fieldset>
  );
}
