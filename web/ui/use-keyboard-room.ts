import { type RefObject, useEffect } from "react";

/**
 * Tells an element, as `--keyboard`, how much of the window a phone's keyboard covers at the bottom: browsers
 * lay it over the page, and what stays at the bottom would lie behind it.
 */
export function useKeyboardRoom(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current;
    const viewport = globalThis.visualViewport;
    if (!element || !viewport) return;
    const look = () => {
      // Whoever zooms in sees less of the page, and no keyboard.
      const covered = viewport.scale > 1 ? 0 : innerHeight - viewport.offsetTop - viewport.height;
      element.style.setProperty("--keyboard", `${Math.max(0, Math.round(covered))}px`);
      // What is being typed may lie behind the dialog's foot now.
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
