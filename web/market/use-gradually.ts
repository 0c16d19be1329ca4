import { startTransition, useEffect, useState } from "react";

/** So many cards are drawn in one go without anybody noticing. */
export const AT_ONCE = 12;

type Item = { id: string };

/**
 * What stands in a list just now, of all that will: what stood there, and some of what is new, from the top.
 * @param known the ids of those that stood there
 * @param atOnce how many may be added
 */
export function admit<T extends Item>(
  all: readonly T[],
  known: ReadonlySet<string>,
  atOnce: number,
): readonly T[] {
  let left = atOnce;
  const shown = all.filter(({ id }) => known.has(id) || left-- > 0);
  return shown.length === all.length ? all : shown;
}

const idsOf = (items: readonly Item[]) => new Set(items.map(({ id }) => id));

/**
 * A list that grows by a few a frame, however many come at once: a page that draws hundreds of cards in one go
 * hears nobody meanwhile. What is drawn first is drawn whole.
 */
export function useGradually<T extends Item>(all: readonly T[]): readonly T[] {
  const [known, setKnown] = useState(() => idsOf(all));
  const shown = admit(all, known, AT_ONCE);
  const isGrowing = shown.some(({ id }) => !known.has(id));
  useEffect(() => {
    if (!isGrowing) return;
    const frame = requestAnimationFrame(() => startTransition(() => setKnown(idsOf(shown))));
    return () => cancelAnimationFrame(frame);
  }, [isGrowing, shown]);
  return shown;
}
