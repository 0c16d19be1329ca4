import { useCallback, useState } from "react";

import { useToast } from "../ui/toaster.tsx";
import type { LazyPart } from "./lazy-part.ts";
import { reloadIfIdle } from "./reload.ts";

/** Shown when the code behind a tap failed to load and a reload cannot fix it. */
const OPEN_FAILED = {
  title: "Sorry, that didn't open",
  description: "Please check your connection and try again.",
  tone: "destructive",
} as const;

/**
 * Opens a dialog once its code has loaded.
 * @returns `Dialog` is null while closed; `open` marks the button as tapped while the code loads
 */
export function useLazyDialog<Props>(part: LazyPart<Props>) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(
    async (button?: HTMLElement | null) => {
      if (!part.read() && button) button.dataset.tapped = "";
      try {
        await part.fetch();
        setOpen(true);
      } catch {
        // Older browsers request the module again only after a reload, which does not help offline.
        await reloadIfIdle(true);
        toast(OPEN_FAILED);
      }
      if (button) delete button.dataset.tapped;
    },
    [part, toast],
  );
  const close = useCallback(() => setOpen(false), []);
  return { Dialog: isOpen ? part.read() : null, open, close };
}
