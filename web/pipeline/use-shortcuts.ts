import { useEffect, useEffectEvent } from "react";

import { SALES_STAGES, type SalesStage } from "../../contract/stages.ts";
import type { ViewName } from "./pipeline-url.ts";
import { areShortcutsOff, isTypedInField } from "./shortcuts.ts";

const VIEW_KEYS: Record<string, ViewName> = { l: "list", b: "board", t: "today" };

export type ShortcutActions = {
  open: (step: 1 | -1) => void;
  close: () => void;
  move: (stage: SalesStage) => void;
  show: (view: ViewName) => void;
  help: () => void;
};

function findControl(name: "notes" | "call"): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-shortcut="${name}"]`);
}

/** Handles keyboard shortcuts, unless the user is typing or has switched them off. */
export function useShortcuts(actions: ShortcutActions): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTypedInField(event) || areShortcutsOff()) return;
    const { key } = event;
    const stage = SALES_STAGES[Number(key) - 1];
    const view = VIEW_KEYS[key];
    if (stage) actions.move(stage);
    else if (view) actions.show(view);
    else if (key === "j" || key === "k") actions.open(key === "j" ? 1 : -1);
    else if (key === "?") actions.help();
    else if (key === "Escape") actions.close();
    else if (key === "n") findControl("notes")?.focus();
    else if (key === "c") findControl("call")?.click();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
