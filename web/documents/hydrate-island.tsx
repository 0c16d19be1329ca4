import { type ComponentType, type ReactNode, useLayoutEffect } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";

import { undoTranslation } from "./undo-translation.ts";

/**
 * Hydrates an island over the server's HTML. Inputs are uncontrolled, so they keep earlier input.
 * @param element the island's wrapper, which contains its props
 * @param Component the component that the server rendered
 * @param html the wrapper's original HTML, before the browser translated it
 */
export function hydrateIsland(element: HTMLElement, Component: ComponentType<object>, html: string) {
  undoTranslation(element, html);
  // In the same task, before the browser translates the restored texts again.
  flushSync(() =>
    hydrateRoot(
      element,
      <PreserveInput element={element}>
        <Component {...(JSON.parse(element.dataset.props ?? "{}") as object)} />
      </PreserveInput>,
    ),
  );
  element.dataset.hydrated = "";
}

/**
 * Restores the visitor's input and focus after hydration. React resets a textarea with a default value. It also renders
 * the whole island again if other code has changed the HTML.
 */
function PreserveInput({ element, children }: { element: HTMLElement; children: ReactNode }) {
  const typed = [...element.querySelectorAll<HTMLInputElement>(":is(input, select, textarea)[id]")].map(
    (field) => ({ field, value: field.value, checked: field.checked }),
  );
  const focused = document.activeElement as HTMLInputElement | null;
  useLayoutEffect(() => {
    const find = (field: HTMLElement) =>
      field.isConnected ? field : element.querySelector<HTMLElement>(`#${CSS.escape(field.id)}`);
    for (const { field, value, checked } of typed) {
      const now = find(field) as HTMLInputElement | null;
      if (now && now.value !== value) now.value = value;
      if (now && now.checked !== checked) now.checked = checked;
    }
    if (!focused?.id || focused.isConnected) return;
    const now = find(focused) as HTMLInputElement | null;
    now?.focus();
    if (now && focused.selectionEnd !== null && "setSelectionRange" in now)
      now.setSelectionRange(focused.selectionStart, focused.selectionEnd);
    // Run once, right after hydration. Later it would undo the island's own changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return children;
}
