import { startTransition, useEffect, useState } from "react";

/** Maximum cards that can render together without a noticeable delay. */
export const MAX_NEW_ITEMS = 12;

type Item = { id: string };

/**
 * Returns the items to render now: the known ones and the first few new ones.
 * @param known IDs of the items rendered so far
 * @param atOnce maximum number of new items
 */
export function selectItems<T extends Item>(
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
 * Returns a list that grows by a few items per frame, because rendering hundreds of cards at once would block input.
 * The first render contains all items.
 */
export function useGradualList<T extends Item>(all: readonly T[]): readonly T[] {
  const [known, setKnown] = useState(() => idsOf(all));
  const shown = selectItems(all, known, MAX_NEW_ITEMS);
  const isGrowing = shown.some(({ id }) => !known.has(id));
  useEffect(() => {
    if (!isGrowing) return;
    const frame = requestAnimationFrame(() => startTransition(() => setKnown(idsOf(shown))));
    return () => cancelAnimationFrame(frame);
  }, [isGrowing, shown]);
  return shown;
}
