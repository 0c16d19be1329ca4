import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  MeasuringStrategy,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { useMemo, useState } from "react";

import { getTile } from "../../contract/pipeline.ts";
import { SALES_STAGES } from "../../contract/stages.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { CardFace } from "./board-card.tsx";
import { BoardColumn } from "./board-column.tsx";
import {
  ANNOUNCEMENTS,
  getCardData,
  findColumn,
  INSTRUCTIONS,
  type DroppedCard,
  getStageOver,
  getNextColumnCoordinates,
} from "./board-moves.ts";

/* A short press opens a card, and a drag moves it. On a touch screen a swipe still scrolls. */
const MOUSE = { activationConstraint: { distance: 6 } };
const TOUCH = { activationConstraint: { delay: 220, tolerance: 8 } };
const KEYS = { coordinateGetter: getNextColumnCoordinates };
const MEASURING = { droppable: { strategy: MeasuringStrategy.Always } };

/** Shows the open pipeline as columns, one per stage. Mouse, touch and keyboard can move cards. */
export function Board({
  purchases,
  openId,
  hrefOf,
}: {
  purchases: readonly PurchasedLead[];
  openId: string | null;
  hrefOf: (id: string) => string;
}) {
  const [dragged, setDragged] = useState<PurchasedLead | null>(null);
  const [droppedCard, setDroppedCard] = useState<DroppedCard | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, MOUSE),
    useSensor(TouchSensor, TOUCH),
    useSensor(KeyboardSensor, KEYS),
  );
  const columns = useMemo(() => Map.groupBy(purchases, getTile), [purchases]);
  const drop = ({ active, over, activatorEvent }: DragEndEvent) => {
    setDragged(null);
    const stage = getStageOver(over);
    const { purchase, move } = getCardData(active);
    if (!stage || stage === purchase.salesStage) return;
    // With the keyboard, the focus follows the card. With a pointer, the focus does not move.
    if (activatorEvent instanceof KeyboardEvent) setDroppedCard({ id: purchase.id, stage, control: "grip" });
    move(stage);
  };
  return (
    <DndContext
      id="board"
      sensors={sensors}
      collisionDetection={findColumn}
      measuring={MEASURING}
      accessibility={{ announcements: ANNOUNCEMENTS, screenReaderInstructions: INSTRUCTIONS }}
      onDragStart={({ active }) => setDragged(getCardData(active).purchase)}
      onDragCancel={() => setDragged(null)}
      onDragEnd={drop}
    >
      <div className="stack gap-2 board">
        {SALES_STAGES.map((stage) => (
          <BoardColumn
            key={stage}
            stage={stage}
            purchases={columns.get(stage) ?? []}
            openId={openId}
            hrefOf={hrefOf}
            droppedCard={droppedCard?.stage === stage ? droppedCard : null}
            onDroppedChange={setDroppedCard}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className="board-card board-card--dragged">
            <CardFace purchase={dragged} href="" />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}
