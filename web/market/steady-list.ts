import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** For this long after the browser drew a card in a new place, a tap on it was probably aimed at another card. */
const IGNORE_TAPS_MS = 400;
/** Below this scroll position, the page counts as not scrolled. */
const TOP_PX = 4;

/** A card's position on the page, whatever the scroll position. */
type CardPosition = { top: number; bottom: number; left: number };

type Measured = { positions: ReadonlyMap<string, CardPosition>; scrolled: number; width: number };

const cardsOf = (list: HTMLElement) => list.querySelectorAll<HTMLElement>(":scope > [data-lead]");

function measure(list: HTMLElement): Measured {
  const positions = new Map<string, CardPosition>();
  for (const card of cardsOf(list)) {
    const { top, bottom, left } = card.getBoundingClientRect();
    positions.set(card.dataset.lead!, { top: top + scrollY, bottom: bottom + scrollY, left });
  }
  return { positions, scrolled: scrollY, width: innerWidth };
}

/**
 * Returns the distance to scroll so that the first visible card stays in place on the screen. Includes the browser's
 * own scrolling: it clamps the position when the page gets shorter.
 */
function shiftOf(before: Measured, after: Measured): number {
  for (const [id, { top, bottom }] of before.positions) {
    const now = after.positions.get(id);
    if (now && bottom > before.scrolled) return now.top - after.scrolled - (top - before.scrolled);
  }
  return 0;
}

/** Returns the cards that moved on the screen, and new cards unless the list was empty. */
function movedCards(before: Measured, after: Measured): string[] {
  if (before.positions.size === 0) return [];
  const moved: string[] = [];
  for (const [id, { top, left }] of after.positions) {
    const was = before.positions.get(id);
    const down = was ? top - after.scrolled - (was.top - before.scrolled) : Infinity;
    if (Math.abs(down) > 1 || Math.abs(left - was!.left) > 1) moved.push(id);
  }
  return moved;
}

/** Ignores taps on some cards for a moment. Sets the attribute directly, without waiting for a render. */
function ignoreTaps(list: HTMLElement, ids: readonly string[], waits: Map<string, () => void>) {
  for (const id of ids) {
    const card = list.querySelector<HTMLElement>(`:scope > [data-lead="${CSS.escape(id)}"]`);
    if (!card) continue;
    waits.get(id)?.();
    card.dataset.moved = "";
    let timer: ReturnType<typeof setTimeout>;
    // A busy page draws the move late, so the time counts from its frame.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        delete card.dataset.moved;
        waits.delete(id);
      }, IGNORE_TAPS_MS);
    });
    waits.set(id, () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    });
  }
}

/**
 * Keeps the visible cards in place when leads above them change, even in browsers without scroll anchoring. Ignores
 * taps on cards that have just moved.
 */
export function useSteadyList(ref: RefObject<HTMLElement | null>): void {
  const measured = useRef<Measured>({ positions: new Map(), scrolled: 0, width: 0 });
  const waits = useRef(new Map<string, () => void>());
  const stabilise = useRef(() => {
    const list = ref.current;
    if (!list) return;
    const before = measured.current;
    const after = measure(list);
    measured.current = after;
    // After a rotation all cards move, so do not correct the position.
    if (before.width !== after.width) return;
    const shift = before.scrolled > TOP_PX ? shiftOf(before, after) : 0;
    if (shift !== 0) scrollBy({ top: shift, behavior: "instant" });
    after.scrolled = scrollY;
    ignoreTaps(list, movedCards(before, after), waits.current);
  });
  useLayoutEffect(() => stabilise.current());
  useEffect(() => {
    // Handle cards that grow and changes above the list.
    const sizes = new ResizeObserver(() => stabilise.current());
    sizes.observe(ref.current!);
    sizes.observe(document.body);
    const follow = () => {
      measured.current.scrolled = scrollY;
    };
    // Capture, to run before listeners that re-render the list. A press may come before the scroll event.
    addEventListener("scroll", follow, true);
    addEventListener("pointerdown", follow, true);
    return () => {
      sizes.disconnect();
      removeEventListener("scroll", follow, true);
      removeEventListener("pointerdown", follow, true);
    };
  }, [ref]);
}
