import { useEffect, useEffectEvent, useRef, useState } from "react";

/** What the history keeps with a step: which one, and how many of our entries lie below it. */
type Entry = { step: number; depth: number };

function currentEntry(): Entry | null {
  const { step, depth } = Object(history.state) as Partial<Entry>;
  return typeof step === "number" && typeof depth === "number" ? { step, depth } : null;
}

/**
 * Which step is shown. Each one that is reached is an entry in the history, so that a phone's Back means
 * "Previous".
 * @param first the step the page came with
 * @param onMove called after the browser's Back or Forward
 */
export function useSteps(first: number, onMove: () => void) {
  const [step, setStep] = useState(first);
  const depth = useRef(0);
  /** Done at the next step back, when it was us who took it. */
  const ours = useRef<(() => void) | null>(null);
  const move = useEffectEvent(onMove);

  useEffect(() => {
    const hear = () => {
      const entry = currentEntry();
      depth.current = entry?.depth ?? 0;
      const isOurs = ours.current;
      ours.current = null;
      if (isOurs) return isOurs();
      setStep(entry?.step ?? first);
      move();
    };
    addEventListener("popstate", hear);
    return () => removeEventListener("popstate", hear);
  }, [first]);

  /** Goes `count` of our entries back, and then on with `then`. */
  function back(count: number, then: () => void) {
    ours.current = then;
    history.go(-count);
  }

  return {
    step,
    /** To where the history says this page was, before it was loaded again. */
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
    /** Leaves for a page that takes the place of all steps: Back leads past them. */
    leaveFor(path: string) {
      const leave = () => location.replace(path);
      if (depth.current > 0) back(depth.current, leave);
      else leave();
    },
  };
}
