import { type ComponentType, type ReactNode, useLayoutEffect } from "react";
import { hydrateRoot } from "react-dom/client";

/**
 * Brings an island to life over the HTML the server sent. Inputs are uncontrolled throughout, so what
 * was typed before this moment stays in them.
 * @param element the island's wrapper, which carries its props
 * @param Component what the server rendered
 */
export function hydrateIsland(element: HTMLElement, Component: ComponentType<object>) {
  hydrateRoot(
    element,
    <KeepTyped element={element}>
      <Component {...(JSON.parse(element.dataset.props ?? "{}") as object)} />
    </KeepTyped>,
    { identifierPrefix: element.dataset.prefix ?? "" },
  );
  element.dataset.alive = "";
}

/** React sets a textarea with a default value back to it when it hydrates; this puts the words back. */
function KeepTyped({ element, children }: { element: HTMLElement; children: ReactNode }) {
  const typed = [...element.querySelectorAll("textarea")].map((area) => ({ area, text: area.value }));
  useLayoutEffect(() => {
    for (const { area, text } of typed) if (area.value !== text) area.value = text;
    // Once, right after hydration: later it would undo the island's own changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return children;
}
