import { useEffect, useEffectEvent, useRef, useState } from "react";

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
 * @param onMove called after the browser's Back or Forward
 */
export function useSteps(first: number, onMove: () => void) {
  const [step, setStep] = useState(first);
  const depth = useRef(0);
  /** Callback for the next popstate, if our own code went back. */
  const ours = useRef<(() => void) | null>(null);
  const move = useEffectEvent(onMove);

  useEffect(() => {
    const handlePopState = () => {
      const entry = currentEntry();
      depth.current = entry?.depth ?? 0;
      const ownCallback = ours.current;
      ours.current = null;
      if (ownCallback) return ownCallback();
      setStep(entry?.step ?? first);
      move();
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
