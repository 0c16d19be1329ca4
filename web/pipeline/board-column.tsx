import { useDroppable } from "@dnd-kit/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";

import { STAGES, type SalesStage } from "../../contract/stages.ts";
import { formatCount } from "../lib/format-count.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { BoardCard } from "./board-card.tsx";
import type { DroppedCard } from "./board-moves.ts";

const CARD_PX = 100;
const OVERSCAN = 4;
const FIRST_COLUMN = { width: 240, height: 800 };

/** Shows one stage of the board. It scrolls on its own and renders only the visible cards. */
export function BoardColumn({
  stage,
  purchases,
  openId,
  hrefOf,
  droppedCard,
  onDroppedChange,
}: {
  stage: SalesStage;
  purchases: readonly PurchasedLead[];
  openId: string | null;
  hrefOf: (id: string) => string;
  /** The card that is moving to this column. */
  droppedCard: DroppedCard | null;
  onDroppedChange: (droppedCard: DroppedCard | null) => void;
}) {
  const { setNodeRef, isOver } = useDroppable({ id: stage });
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- we do not use the React compiler
  const cards = useVirtualizer({
    count: purchases.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    overscan: OVERSCAN,
    initialRect: FIRST_COLUMN,
    getItemKey: (index) => purchases[index]!.id,
  });
  const droppedIndex = droppedCard ? purchases.findIndex(({ id }) => id === droppedCard.id) : -1;
  useEffect(() => {
    if (droppedIndex >= 0) cards.scrollToIndex(droppedIndex);
  }, [cards, droppedIndex]);
  return (
    <section
      className="column"
      ref={setNodeRef}
      aria-label={`${STAGES[stage].label}, ${purchases.length}`}
      data-stage={stage}
      data-over={isOver || undefined}
    >
      <h3 className="column__head">
        {STAGES[stage].label} <span>{formatCount(purchases.length)}</span>
      </h3>
      <div className="column__cards" ref={scroller}>
        <ul style={{ height: cards.getTotalSize() }}>
          {cards.getVirtualItems().map(({ index, key, start }) => {
            const purchase = purchases[index]!;
            return (
              <li
                key={key}
                ref={cards.measureElement}
                data-index={index}
                aria-setsize={purchases.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <BoardCard
                  purchase={purchase}
                  href={hrefOf(purchase.id)}
                  isOpen={purchase.id === openId}
                  focus={droppedCard?.id === purchase.id ? droppedCard.control : null}
                  onDroppedChange={onDroppedChange}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}
