import { type RefObject, useEffect } from "react";

/**
 * Sets `--keyboard` on an element: the height of the window that a phone's keyboard covers. Browsers draw the keyboard
 * over the page, so it would hide elements at the bottom.
 */
export function useKeyboardInset(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current;
    const viewport = globalThis.visualViewport;
    if (!element || !viewport) return;
    const updateInset = () => {
      // A zoomed page also has a smaller viewport, without a keyboard.
      const covered = viewport.scale > 1 ? 0 : innerHeight - viewport.offsetTop - viewport.height;
      element.style.setProperty("--keyboard", `${Math.max(0, Math.round(covered))}px`);
      // The focused field may now be behind the dialog's footer.
      if (covered > 0 && element.contains(document.activeElement))
        document.activeElement!.scrollIntoView({ block: "nearest" });
    };
    updateInset();
    viewport.addEventListener("resize", updateInset);
    viewport.addEventListener("scroll", updateInset);
    return () => {
      viewport.removeEventListener("resize", updateInset);
      viewport.removeEventListener("scroll", updateInset);
    };
  }, [ref]);
}
