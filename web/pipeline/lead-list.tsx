import "./lead-list.css";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

import type { PurchasedLead } from "../purchases/purchases.ts";
import { LeadRow } from "./lead-row.tsx";

/** What a row is taken to be high until it has been drawn. */
const ROW_PX = 64;
/** Rows drawn beyond both edges, so that quick scrolling shows no gaps. */
const OVERSCAN = 6;
/** The server knows no screen: it draws the rows of a tall one. */
const FIRST_SCREEN = { width: 1280, height: 1000 };

/** Where a list begins on its page, in px. */
function useListTop() {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const found = list.current && list.current.getBoundingClientRect().top + window.scrollY;
      if (found !== null) setTop(found);
    };
    measure();
    // What stands above may wrap into more lines.
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return { list, top };
}

/** Whether a row is drawn and wholly on the screen. */
function isInSight(list: HTMLElement, index: number): boolean {
  const row = list.querySelector(`[data-index="${index}"]`)?.getBoundingClientRect();
  return row !== undefined && row.top >= 0 && row.bottom <= innerHeight;
}

/** Purchases one below the other; however many there are, only those on the screen are drawn. */
export function LeadList({
  purchases,
  openId,
  hrefOf,
  showsStage = true,
  picked,
  onPick,
}: {
  purchases: readonly PurchasedLead[];
  openId: string | null;
  hrefOf: (id: string) => string;
  showsStage?: boolean;
  /** The leads that are selected to be changed at once; null while none can be. */
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
    // The list's own reckoning is off by what stands above it until that is measured.
    if (openIndex >= 0 && !isInSight(list.current!, openIndex)) rows.scrollToIndex(openIndex);
    // Only when another one is opened, or has come by now: a list that changes under it stays where it is.
    // oxlint-disable-next-line react/exhaustive-deps, react/exhaustive-effect-dependencies -- see above
  }, [openId, openIndex >= 0]);
  return (
    <ul className="rows" ref={list} style={{ height: rows.getTotalSize() }}>
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
            <LeadRow
              purchase={purchase}
              href={hrefOf(purchase.id)}
              isOpen={purchase.id === openId}
              showsStage={showsStage}
              isPicked={picked?.has(purchase.id)}
              onPick={onPick}
            />
          </li>
        );
      })}
    </ul>
  );
}
