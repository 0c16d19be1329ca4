import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

import type { PurchasedLead } from "../purchases/purchases.ts";
import { PipelineLeadRow } from "./lead-row.tsx";

/** Estimated height of a row before it is rendered. */
const ROW_PX = 64;
/** Rows rendered above and below the visible ones, so that fast scrolling shows no gaps. */
const OVERSCAN = 6;
/** The server does not know the screen size, so it renders enough rows for a tall screen. */
const FIRST_SCREEN = { width: 1280, height: 1000 };

/** Returns the list's distance from the top of the page, in px. */
function useListTop() {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const found = list.current && list.current.getBoundingClientRect().top + window.scrollY;
      if (found !== null) setTop(found);
    };
    measure();
    // Content above the list may wrap differently after a resize.
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return { list, top };
}

/** Returns whether a row is rendered and fully visible. */
function isInViewport(list: HTMLElement, index: number): boolean {
  const row = list.querySelector(`[data-index="${index}"]`)?.getBoundingClientRect();
  return row !== undefined && row.top >= 0 && row.bottom <= innerHeight;
}

/** Shows purchases as rows. It renders only the visible ones. */
export function PipelineList({
  purchases,
  openId,
  hrefOf,
  canMove = true,
  picked,
  onPick,
}: {
  purchases: readonly PurchasedLead[];
  openId: string | null;
  hrefOf: (id: string) => string;
  /** Whether rows can change the stage. Otherwise they name it. */
  canMove?: boolean;
  /** The selected leads for a bulk change; null while selection is off. */
  picked?: ReadonlySet<string> | null;
  onPick?: (id: string) => void;
}) {
  const { list, top } = useListTop();
  const rows = useWindowVirtualizer({
    count: purchases.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    initialRect: FIRST_SCREEN,
    getItemKey: (index) => purchases[index]!.id,
  });
  const openIndex = openId === null ? -1 : purchases.findIndex(({ id }) => id === openId);
  useEffect(() => {
    // The virtual list's own check is wrong until the content above the list is measured.
    if (openIndex >= 0 && !isInViewport(list.current!, openIndex)) rows.scrollToIndex(openIndex);
    // Scroll only when another lead opens or has just loaded. When the list changes, keep the scroll position.
    // oxlint-disable-next-line react/exhaustive-deps, react/exhaustive-effect-dependencies -- see above
  }, [openId, openIndex >= 0]);
  return (
    <ul className="box rows" ref={list} style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const purchase = purchases[index]!;
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={purchases.length}
            aria-posinset={index + 1}
            className="rows__item"
            style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
          >
            <PipelineLeadRow
              purchase={purchase}
              href={hrefOf(purchase.id)}
              isOpen={purchase.id === openId}
              canMove={canMove}
              isPicked={picked?.has(purchase.id)}
              onPick={onPick}
            />
          </li>
        );
      })}
    </ul>
  );
}
