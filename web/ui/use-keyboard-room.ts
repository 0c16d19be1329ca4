import { type RefObject, useEffect } from "react";

/**
 * Sets `--keyboard` on an element: the height of the window that a phone's keyboard covers. Browsers draw the keyboard
 * over the page, so it would hide elements at the bottom.
 */
export function useKeyboardRoom(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current;
    const viewport = globalThis.visualViewport;
    if (!element || !viewport) return;
    const look = () => {
      // A zoomed page also has a smaller viewport, without a keyboard.
      const covered = viewport.scale > 1 ? 0 : innerHeight - viewport.offsetTop - viewport.height;
      element.style.setProperty("--keyboard", `${Math.max(0, Math.round(covered))}px`);
      // The focused field may now be behind the dialog's footer.
      if (covered > 0 && element.contains(document.activeElement))
        document.activeElement!.scrollIntoView({ block: "nearest" });
    };
    look();
    viewport.addEventListener("resize", look);
    viewport.addEventListener("scroll", look);
    return () => {
      viewport.removeEventListener("resize", look);
      viewport.removeEventListener("scroll", look);
    };
  }, [ref]);
}
