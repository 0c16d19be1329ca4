import { useEffect, useRef, useState } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import {
  formatCard,
  SAVE_CARD_CONSENT,
  SAVE_CARD_CONSENTS,
  type SavedCard,
} from "../../contract/payments.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { formatPrice } from "../lib/format-money.ts";
import { createLazyPart, type PropsOf, useLazyPart } from "../lib/lazy-part.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { BuyerForm } from "./buyer-details.tsx";
import type { HandleWallet, PayWithTypedCard } from "./card-entry.tsx";
import { CardFormLoadFailure, CardSkeleton } from "./card-skeleton.tsx";
import { HoldClock } from "./hold-clock.tsx";
import { fetchStripe } from "./load-stripe.ts";
import { type OpenPayment, type OwnHold, setSaveCardConsent } from "./purchase-api.ts";
import { soldTo } from "../market/passed-on.ts";
import { callTerms } from "../purchases/call-clock.ts";
import { CardLabel } from "./saved-cards.tsx";
import { useSavedCards } from "./saved-cards-query.ts";
import type { PurchaseFlow } from "./purchase-flow.ts";
import type { Phase } from "./purchase-phase.ts";

// Load Stripe's fields only to type a card. A saved card does not need them.
const cardEntry = createLazyPart(async () => (await import("./card-entry.tsx")).CardEntry);

function CardEntry(props: PropsOf<typeof cardEntry>) {
  const { Part, error, retry } = useLazyPart(cardEntry, true);
  if (error) return <CardFormLoadFailure words="Please check your connection." onRetry={retry} />;
  return Part ? <Part {...props} /> : <CardSkeleton />;
}

/** Returns whether a card can still pay. Banks decline expired cards. */
const isUsable = ({ expiry }: SavedCard) => expiry !== "over";

/**
 * Returns the card to pay with: the chosen one, or at first the latest valid saved card. Null if there is no saved card, or if the buyer wants to type another.
 */
function useCardChoice() {
  const { data: cards = [], isPending } = useSavedCards();
  const [chosen, setChosen] = useState<string | null>(null);
  // NEW_CARD matches no saved card's ID.
  const card = cards.filter(isUsable).find(({ id }, i) => (chosen ? id === chosen : i === 0)) ?? null;
  return { cards, isPending, card, choose: setChosen };
}

/** Returns the state of a typed card: a function that pays with it, and whether to save it. */
function useTypedCard(holdId: string) {
  const [payTyped, setPayTyped] = useState<PayWithTypedCard | null>(null);
  const [shouldSave, setShouldSave] = useState(false);
  const [sentConsent, setSentConsent] = useState(false);
  const sendConsent = async (willSave: boolean) => {
    if (willSave === sentConsent) return;
    await setSaveCardConsent(holdId, willSave);
    setSentConsent(willSave);
  };
  return {
    shouldSave,
    setShouldSave,
    onReady: (pay: PayWithTypedCard | null) => setPayTyped(() => pay),
    /** Null until the fields accept input. */
    pay: payTyped && ((buyer: PurchaseRequest) => payTyped(buyer, shouldSave, () => sendConsent(shouldSave))),
    /** Pays with a wallet without saving the card, because a wallet is as quick next time. */
    payWithWallet: (pay: PayWithTypedCard, buyer: PurchaseRequest) =>
      pay(buyer, false, () => sendConsent(false)),
  };
}

/** A phase in which we hold the lead. In phase `held` its payment is being created. */
export type OwnPhase = Extract<Phase, { name: "open" | "held" }>;

/** Shows the buyer's details, the choice of card and the pay button. */
export function CardForm({
  lead,
  phase,
  flow,
  onEscape,
}: {
  lead: LeadSummary;
  phase: OwnPhase;
  flow: PurchaseFlow;
  onEscape: () => void;
}) {
  const payment = phase.name === "open" ? phase.payment : null;
  const hold = phase.name === "open" ? phase.payment : phase.hold;
  const { cards, isPending, card, choose } = useCardChoice();
  const typed = useTypedCard(hold.holdId);
  const section = useRef<HTMLElement>(null);
  const wallet = useRef<PayWithTypedCard | null>(null);

  function submit(buyer: PurchaseRequest) {
    const { pay } = typed;
    const opened = wallet.current;
    wallet.current = null;
    if (opened) void flow.pay(buyer, () => typed.payWithWallet(opened, buyer));
    else if (card) void flow.payWithCard(buyer, card.id);
    else if (pay) void flow.pay(buyer, () => pay(buyer));
  }

  // A wallet pays through the form's submit, once the form is valid.
  function payWithWallet(pay: PayWithTypedCard): boolean {
    // The wallet's sheet covers the page, so only the sheet can show the failure.
    if (!navigator.onLine) return false;
    wallet.current = pay;
    section.current?.closest("form")?.requestSubmit();
    const isAccepted = wallet.current === null;
    wallet.current = null;
    return isAccepted;
  }

  return (
    <>
      <HoldClock endsAt={hold.endsAt} holdMs={hold.holdMs} />
      <BuyerForm onSubmit={submit}>
        {isPending ? (
          <CardSkeleton />
        ) : (
          <section className="stack gap-4" aria-label="Payment" ref={section}>
            {cards.length > 0 && <CardChoice cards={cards} chosen={card} onChoose={choose} />}
            {!card && (
              <NewCard
                hold={hold}
                payment={payment}
                typed={typed}
                onWallet={payWithWallet}
                onEscape={onEscape}
              />
            )}
          </section>
        )}
        <PayFooter
          lead={lead}
          card={card}
          phase={phase}
          canPay={payment !== null && Boolean(card ?? typed.pay)}
          onRetry={flow.retry}
        />
      </BuyerForm>
    </>
  );
}

function NewCard({
  hold,
  payment,
  typed,
  onWallet,
  onEscape,
}: {
  hold: OwnHold;
  /** Null while it is being created. */
  payment: OpenPayment | null;
  typed: ReturnType<typeof useTypedCard>;
  onWallet: HandleWallet;
  onEscape: () => void;
}) {
  const { publishableKey, scriptUrl } = hold;
  // Load Stripe's code while the payment is being created.
  useEffect(
    () => void fetchStripe({ publishableKey, scriptUrl }).catch(() => {}),
    [publishableKey, scriptUrl],
  );
  return (
    <>
      {payment ? (
        <CardEntry payment={payment} onReady={typed.onReady} onWallet={onWallet} onEscape={onEscape} />
      ) : (
        <CardSkeleton />
      )}
      <label className="stack pay__keep">
        <input
          type="checkbox"
          checked={typed.shouldSave}
          // The box moves when the fields appear, so a tap before that could miss it.
          disabled={!typed.pay}
          onChange={() => typed.setShouldSave(!typed.shouldSave)}
        />
        <span>{SAVE_CARD_CONSENTS[SAVE_CARD_CONSENT]}</span>
      </label>
    </>
  );
}

function PayFooter({
  lead,
  card,
  phase,
  canPay,
  onRetry,
}: {
  lead: LeadSummary;
  card: SavedCard | null;
  phase: OwnPhase;
  canPay: boolean;
  onRetry: () => void;
}) {
  const { problem } = phase;
  const isPaying = phase.name === "open" && phase.isPaying;
  const isStuck = phase.name === "held" && problem !== null;
  const price = formatPrice(lead.price);
  const words = card ? `Pay ${price} with ${formatCard(card)}` : `Pay ${price}`;
  // Show the problem next to the button. The button stays in view while the buyer types.
  return (
    <>
      <div className="stack gap-2 buy__foot">
        {problem && <Alert>{problem}</Alert>}
        {isStuck ? (
          <Button variant="main" className="button--large" onClick={onRetry}>
            Try again
          </Button>
        ) : (
          <Button type="submit" variant="main" className="button--large" isBusy={isPaying} disabled={!canPay}>
            {isPaying ? "Paying…" : words}
          </Button>
        )}
      </div>
      <p className="muted text-sm buy__terms">
        {isPaying
          ? "Please keep this window open."
          : `${soldTo(lead)} ${callTerms(lead)} Purchases are final. Close this and you'll lose the lead.`}
      </p>
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
    <fieldset className="stack gap-2 cards">
      <legend className="visually-hidden">Card to pay with</legend>
      {cards.map((card) =>
        isUsable(card) ? (
          <label key={card.id} className="line cards__one">
            <input
              type="radio"
              name="card"
              checked={chosen?.id === card.id}
              onChange={() => onChoose(card.id)}
            />
            <CardLabel card={card} />
          </label>
        ) : (
          // Show an expired card disabled, because the buyer may look for it.
          <div key={card.id} className="line muted cards__one">
            <input type="radio" name="card" aria-label={formatCard(card)} disabled />
            <CardLabel card={card} />
          </div>
        ),
      )}
      <label className="line cards__one">
        <input type="radio" name="card" checked={chosen === null} onChange={() => onChoose(NEW_CARD)} />
        <span>Another card</span>
      </label>
    </fieldset>
  );
}
