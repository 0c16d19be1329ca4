import { type ReactNode, useEffect, useRef } from "react";

import { Button } from "../ui/button.tsx";

function rowsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>("tbody tr")];
}

function focusRow(list: HTMLElement, at: number): void {
  const rows = rowsOf(list);
  rows[Math.min(at, rows.length - 1)]?.querySelector("button")?.focus();
}

/**
 * Shows a list that works as a queue. While a row has the focus, R and D press its buttons with these keys. N moves to
 * the next row and P to the previous one. When a row disappears, the row that replaces it gets the focus.
 * @param ids of the visible rows; null while none are visible
 * @param isOn whether the list is a queue
 */
export function LeadQueue({
  ids,
  isOn,
  children,
}: {
  ids: readonly string[] | null;
  isOn: boolean;
  children: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  /** Index of the row that the admin acted on, until it disappears. */
  const worked = useRef<number | null>(null);
  const shown = ids?.join(" ");
  useEffect(() => {
    const element = list.current;
    if (!element || !isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
      const row = event.target.closest("tr");
      const at = row ? rowsOf(element).indexOf(row) : -1;
      if (at < 0) return;
      const key = event.key.toLowerCase();
      const button = /^[rd]$/.test(key) && row!.querySelector<HTMLElement>(`[data-queue-key="${key}"]`);
      if (key === "n") focusRow(element, at + 1);
      if (key === "p") focusRow(element, Math.max(at - 1, 0));
      // Ignore a key held down, or it would also act on the rows that move up.
      if (!button || event.repeat) return;
      event.preventDefault();
      worked.current = at;
      button.click();
    };
    element.addEventListener("keydown", press);
    return () => element.removeEventListener("keydown", press);
  }, [isOn]);
  useEffect(() => {
    if (worked.current === null || !list.current) return;
    // Restore the focus only if the admin has not moved it elsewhere.
    if (document.activeElement === document.body) focusRow(list.current, worked.current);
    worked.current = null;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs when the visible rows change
  }, [shown]);
  return (
    <div ref={list}>
      {isOn && shown && (
        <p className="cluster admin__keys">
          <Button variant="quiet" onClick={() => list.current && focusRow(list.current, 0)}>
            Use keyboard shortcuts
          </Button>
          R releases, D drops, N goes to the next and P back.
        </p>
      )}
      {children}
    </div>
  );
}
