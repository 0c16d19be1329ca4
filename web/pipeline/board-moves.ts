import {
  type Active,
  type Announcements,
  closestCenter,
  type CollisionDetection,
  type KeyboardCoordinateGetter,
  type Over,
  pointerWithin,
  type ScreenReaderInstructions,
} from "@dnd-kit/core";

import { SALES_STAGES, STAGES, type SalesStage } from "../../contract/stages.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";

export type CardData = { purchase: PurchasedLead; move: (stage: SalesStage) => void };

/**
 * A card that is moving to another stage. A long column may not have rendered it, so the column scrolls to it. The
 * control that moved it gets the focus again.
 */
export type DroppedCard = { id: string; stage: SalesStage; control: "grip" | "stage" };

export function getCardData(active: Active): CardData {
  return active.data.current as CardData;
}

/** Returns the stage under the dragged card, or null outside the board. */
export function getStageOver(over: Over | null): SalesStage | null {
  return SALES_STAGES.find((stage) => stage === over?.id) ?? null;
}

/** Finds the column under the pointer, or for arrow keys the column closest to the card. */
export const findColumn: CollisionDetection = (args) =>
  args.pointerCoordinates ? pointerWithin(args) : closestCenter(args);

/** Moves to the next column with the left and right arrow keys, at any distance. */
export const getNextColumnCoordinates: KeyboardCoordinateGetter = (
  event,
  { currentCoordinates, context },
) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.code];
  if (!step) return undefined;
  event.preventDefault();
  const from =
    getStageOver(context.over) ?? (context.active && getCardData(context.active).purchase.salesStage);
  const next = from && SALES_STAGES[SALES_STAGES.indexOf(from) + step];
  const rect = next && context.droppableRects.get(next);
  return rect ? { x: rect.left, y: currentCoordinates.y } : undefined;
};

const nameOf = (active: Active) => getCardData(active).purchase.customerName;
const labelOver = (over: Over | null) => {
  const stage = getStageOver(over);
  return stage && STAGES[stage].label;
};

export const ANNOUNCEMENTS: Announcements = {
  onDragStart: ({ active }) =>
    `Picked up ${nameOf(active)} from ${STAGES[getCardData(active).purchase.salesStage].label}.`,
  onDragOver: ({ active, over }) =>
    over ? `${nameOf(active)} is over ${labelOver(over)}.` : `${nameOf(active)} isn't over a column.`,
  onDragEnd: ({ active, over }) =>
    over ? `${nameOf(active)} was moved to ${labelOver(over)}.` : `${nameOf(active)} stays where it was.`,
  onDragCancel: ({ active }) => `Move cancelled. ${nameOf(active)} stays where it was.`,
};

export const INSTRUCTIONS: ScreenReaderInstructions = {
  draggable:
    "Press space to pick up the lead. Use the left and right arrow keys to move it, space to drop it or escape to cancel.",
};
