import { useCallback, useState } from "react";

import { useToast } from "../ui/toaster.tsx";
import type { LatePart } from "./late-part.ts";
import { reload } from "./reload.ts";

/** Said when the code of something that was tapped did not come, and cannot be had by a new page either. */
const NOT_OPENED = {
  title: "That did not open",
  description: "Please check your connection and try again.",
  tone: "destructive",
} as const;

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
        // In an older browser only a new page asks for it again, and it is no use offline.
        await reload(true);
        toast(NOT_OPENED);
      }
      if (button) delete button.dataset.heard;
    },
    [part, toast],
  );
  const close = useCallback(() => setOpen(false), []);
  return { Dialog: isOpen ? part.component : null, open, close };
}
