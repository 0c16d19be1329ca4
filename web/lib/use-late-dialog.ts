import { useCallback, useState } from "react";

import { useToast } from "../ui/toaster.tsx";
import type { LatePart } from "./late-part.ts";

/** What to say when the code of something that was tapped did not come. */
const wordsFor = (isOnline: boolean) =>
  isOnline
    ? { title: "That did not open", description: "Please try again. If it still fails, reload the page." }
    : { title: "You're offline", description: "Please try again when you have a connection." };

/**
 * A dialog whose code may still be on its way when it is asked for.
 * @returns `Dialog` is null while it is closed; `open` shows on the tapped button that it was heard
 */
export function useLateDialog<Props>(part: LatePart<Props>) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(
    async (button?: HTMLElement | null) => {
      if (!part.component && button) button.dataset.heard = "";
      try {
        await part.fetch();
        setOpen(true);
      } catch {
        toast({ ...wordsFor(navigator.onLine), tone: "destructive" });
      }
      if (button) delete button.dataset.heard;
    },
    [part, toast],
  );
  const close = useCallback(() => setOpen(false), []);
  return { Dialog: isOpen ? part.component : null, open, close };
}
