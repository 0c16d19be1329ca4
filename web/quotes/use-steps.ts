import { useEffect, useRef, useState } from "react";

/** A step's history state: the step, and the number of our entries below it. */
type Entry = { step: number; depth: number };

function currentEntry(): Entry | null {
  const { step, depth } = Object(history.state) as Partial<Entry>;
  return typeof step === "number" && typeof depth === "number" ? { step, depth } : null;
}

/**
 * Returns the visible step and functions to change it. Each step reached is a history entry, so that a phone's Back
 * button means "Previous".
 * @param first the step that the server rendered
 */
export function useSteps(first: number) {
  const [step, setStep] = useState(first);
  const depth = useRef(0);
  /** Callback for the next popstate, if our own code went back. */
  const ours = useRef<(() => void) | null>(null);
  const [moves, setMoves] = useState(0);

  useEffect(() => {
    const handlePopState = () => {
      const entry = currentEntry();
      depth.current = entry?.depth ?? 0;
      const ownCallback = ours.current;
      ours.current = null;
      if (ownCallback) return ownCallback();
      setStep(entry?.step ?? first);
      setMoves((count) => count + 1);
    };
    addEventListener("popstate", handlePopState);
    return () => removeEventListener("popstate", handlePopState);
  }, [first]);

  /** Goes back `count` history entries, then calls `then`. */
  function back(count: number, then: () => void) {
    ours.current = then;
    history.go(-count);
  }

  return {
    step,
    /** Increases with the browser's Back and Forward. */
    moves,
    /** Returns to the step in the history state after a reload. */
    resume() {
      const entry = currentEntry();
      if (!entry) return;
      depth.current = entry.depth;
      setStep(entry.step);
    },
    goTo(next: number) {
      setStep(next);
      const count = step - next;
      if (count > 0 && depth.current >= count) return back(count, () => {});
      if (count < 0) history.pushState({ step: next, depth: (depth.current += 1) } satisfies Entry, "");
      else history.replaceState({ step: next, depth: depth.current } satisfies Entry, "");
    },
    /** Opens a page that replaces all steps, so that Back skips them. */
    openPage(path: string) {
      const replacePage = () => location.replace(path);
      if (depth.current > 0) back(depth.current, replacePage);
      else replacePage();
    },
  };
}
