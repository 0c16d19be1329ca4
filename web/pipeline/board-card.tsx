import { useDraggable } from "@dnd-kit/core";
import { memo, useCallback, useEffect, useRef } from "react";
import { Link } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import { NotImpersonating, useIsImpersonating } from "../auth/not-impersonating.tsx";
import { AgeBadge } from "../leads/age-badge.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { PurchaseMarks } from "../purchases/purchase-marks.tsx";
import { StageSelect } from "../purchases/stage-select.tsx";
import { usePurchaseChange } from "../purchases/use-purchase-change.ts";
import { Icon } from "../ui/icon.tsx";
import type { CardData, DroppedCard } from "./board-moves.ts";

/** Shows a card's content. The copy under the pointer uses it too. */
export function CardFace({ purchase, href }: { purchase: PurchasedLead; href: string }) {
  const { customerName, serviceType, suburbName } = purchase;
  return (
    <>
      <Link
        className="lead-link board-card__name"
        to={href}
        preventScrollReset
        draggable={false}
        data-lead={purchase.id}
      >
        <bdi>{customerName}</bdi>
      </Link>
      <p className="muted text-xs board-card__job">
        {serviceType.map(serviceName).join(" + ")}
        {suburbName && <span> in {suburbName}</span>}
      </p>
      <p className="cluster board-card__marks marks">
        <AgeBadge createdAt={purchase.leadCreatedAt} />
        <PurchaseMarks purchase={purchase} isOnBoard />
      </p>
    </>
  );
}

/** Shows a purchase on the board. Mouse and touch drag the whole card; the keyboard moves it by its grip. */
export const BoardCard = memo(function BoardCard({
  purchase,
  href,
  isOpen,
  focus,
  onDroppedChange,
}: {
  purchase: PurchasedLead;
  href: string;
  isOpen: boolean;
  /** The control to focus once, because the card has just moved to this column. */
  focus: DroppedCard["control"] | null;
  onDroppedChange: (landing: DroppedCard | null) => void;
}) {
  const { id } = purchase;
  const card = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (!focus) return;
    card.current?.querySelector<HTMLElement>(focus === "grip" ? ".board-card__grip" : "select")?.focus();
    onDroppedChange(null);
  }, [focus, onDroppedChange]);
  const { change } = usePurchaseChange(id);
  const isImpersonating = useIsImpersonating();
  const data: CardData = { purchase, move: (salesStage) => void change({ salesStage }) };
  const { setNodeRef, setActivatorNodeRef, listeners, attributes, isDragging } = useDraggable({
    id,
    data,
    disabled: isImpersonating,
  });
  const { onKeyDown, ...pointers } = listeners ?? {};
  const setCard = useCallback(
    (node: HTMLElement | null) => {
      card.current = node;
      setNodeRef(node);
    },
    [setNodeRef],
  );
  return (
    <article
      className="board-card"
      ref={setCard}
      aria-label={purchase.customerName}
      data-open={isOpen || undefined}
      data-dragging={isDragging || undefined}
      {...pointers}
    >
      <NotImpersonating>
        <button
          type="button"
          className="board-card__grip"
          ref={setActivatorNodeRef}
          aria-label={`Move ${purchase.customerName}`}
          aria-describedby={attributes["aria-describedby"]}
          aria-pressed={isDragging || undefined}
          onKeyDown={onKeyDown as React.KeyboardEventHandler}
        >
          <Icon name="grip" size={18} />
        </button>
      </NotImpersonating>
      <CardFace purchase={purchase} href={href} />
      <StageSelect
        purchase={purchase}
        isCompact
        onMove={(stage) => onDroppedChange({ id, stage, control: "stage" })}
      />
    </article>
  );
});
