import { useState } from "react";

import { formatCard, type SavedCard } from "../../contract/payments.ts";
import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { messageOf } from "../lib/api.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { CardSkeleton } from "./card-skeleton.tsx";
import { useRemoveCard, useSavedCards } from "./saved-cards-query.ts";

/** Formats a card's expiry as printed on the card, such as "11/26". */
const formatExpiry = ({ expMonth, expYear }: SavedCard) =>
  `${String(expMonth).padStart(2, "0")}/${String(expYear % 100).padStart(2, "0")}`;

function Expiry({ card }: { card: SavedCard }) {
  if (card.expiry === "this_month") return <strong>Expires this month</strong>;
  return `${card.expiry === "over" ? "Expired" : "Expires"} ${formatExpiry(card)}`;
}

export function CardLabel({ card }: { card: SavedCard }) {
  return (
    <span>
      <strong>{formatCard(card)}</strong>
      <span className="muted text-sm cards__expiry">
        <Expiry card={card} />
      </span>
    </span>
  );
}

/** Lists a business's saved cards, with buttons to remove them. For owners only. */
export function SavedCards() {
  const { data: cards, error, isPending } = useSavedCards();
  const [leaving, setLeaving] = useState<SavedCard | null>(null);
  const remove = useRemoveCard();
  if (isPending) return <CardSkeleton />;
  if (error)
    return <Alert>{messageOf(error, "Your cards didn't load. Please check your connection.")}</Alert>;
  if (cards.length === 0) {
    return (
      <p className="muted">
        No saved cards yet. Tick “Save this card” next time you buy a lead. After that, you can pay with one
        tap.
      </p>
    );
  }
  return (
    <>
      <ul className="stack gap-2 cards">
        {cards.map((card) => (
          <li key={card.id} className="line cards__one">
            <CardLabel card={card} />
            <NotImpersonating>
              <Button variant="quiet" onClick={() => setLeaving(card)}>
                Remove<span className="visually-hidden"> {formatCard(card)}</span>
              </Button>
            </NotImpersonating>
          </li>
        ))}
      </ul>
      {leaving && (
        <Dialog title="Remove this card?" onClose={() => setLeaving(null)}>
          <p>
            We'll remove {formatCard(leaving)} from your account and from Stripe. You can add it again any
            time.
          </p>
          <DialogFooter back="Keep" onBack={() => setLeaving(null)}>
            <Button
              className="button--danger"
              isBusy={remove.isPending}
              onClick={() => remove.mutate(leaving, { onSettled: () => setLeaving(null) })}
            >
              Remove card
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </>
  );
}
