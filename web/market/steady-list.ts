import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** A card that has just moved under a thumb is not the one that was aimed at. */
const MOVED_MS = 400;
/** Scrolled less than this is not scrolled. */
const TOP_PX = 4;

/** Where a card stood: on the page, whatever it is scrolled to. */
type Spot = { top: number; bottom: number; left: number };

type Measured = { spots: ReadonlyMap<string, Spot>; scrolled: number; width: number };

const cardsOf = (list: HTMLElement) => list.querySelectorAll<HTMLElement>(":scope > [data-lead]");

function measure(list: HTMLElement): Measured {
  const spots = new Map<string, Spot>();
  for (const card of cardsOf(list)) {
    const { top, bottom, left } = card.getBoundingClientRect();
    spots.set(card.dataset.lead!, { top: top + scrollY, bottom: bottom + scrollY, left });
  }
  return { spots, scrolled: scrollY, width: innerWidth };
}

/**
 * How far the page has to move so that the first card in sight stays where it was. Where the page was scrolled
 * to then and is now may differ by itself: one that got shorter is cut off at its end.
 */
function shiftOf(before: Measured, after: Measured): number {
  for (const [id, { top, bottom }] of before.spots) {
    const now = after.spots.get(id);
    if (now && bottom > before.scrolled) return now.top - after.scrolled - (top - before.scrolled);
  }
  return 0;
}

/** The cards that stand elsewhere on the screen than before, and those that are new beside others. */
function movedCards(before: Measured, after: Measured): string[] {
  if (before.spots.size === 0) return [];
  const moved: string[] = [];
  for (const [id, { top, left }] of after.spots) {
    const was = before.spots.get(id);
    const down = was ? top - after.scrolled - (was.top - before.scrolled) : Infinity;
    if (Math.abs(down) > 1 || Math.abs(left - was!.left) > 1) moved.push(id);
  }
  return moved;
}

/** Lets no tap through to a card for a moment. On the element itself: no drawing anew is in between. */
function makeDeaf(
  list: HTMLElement,
  ids: readonly string[],
  timers: Map<string, ReturnType<typeof setTimeout>>,
) {
  for (const id of ids) {
    const card = list.querySelector<HTMLElement>(`:scope > [data-lead="${CSS.escape(id)}"]`);
    if (!card) continue;
    clearTimeout(timers.get(id));
    card.dataset.moved = "";
    timers.set(
      id,
      setTimeout(() => {
        delete card.dataset.moved;
        timers.delete(id);
      }, MOVED_MS),
    );
  }
}

/**
 * Keeps what one reads where it is when leads above it come, go or grow, on browsers that do not do so
 * themselves too; and lets no tap through to a card that has moved a moment ago.
 */
export function useSteadyList(ref: RefObject<HTMLElement | null>): void {
  const measured = useRef<Measured>({ spots: new Map(), scrolled: 0, width: 0 });
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const settle = useRef(() => {
    const list = ref.current;
    if (!list) return;
    const before = measured.current;
    const after = measure(list);
    measured.current = after;
    // Turned round, everything stands elsewhere anyhow.
    if (before.width !== after.width) return;
    const shift = before.scrolled > TOP_PX ? shiftOf(before, after) : 0;
    if (shift !== 0) scrollBy({ top: shift, behavior: "instant" });
    after.scrolled = scrollY;
    makeDeaf(list, movedCards(before, after), timers.current);
  });
  useLayoutEffect(() => settle.current());
  useEffect(() => {
    // A card that grows, or what stands above the list.
    const sizes = new ResizeObserver(() => settle.current());
    sizes.observe(ref.current!);
    sizes.observe(document.body);
    const follow = () => {
      measured.current.scrolled = scrollY;
    };
    // Before others who hear of it draw the list anew; a press may come before the event of a scroll.
    addEventListener("scroll", follow, true);
    addEventListener("pointerdown", follow, true);
    return () => {
      sizes.disconnect();
      removeEventListener("scroll", follow, true);
      removeEventListener("pointerdown", follow, true);
    };
  }, [ref]);
}
