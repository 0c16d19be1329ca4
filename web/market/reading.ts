import { useSyncExternalStore } from "react";

/** A finger or a mouse that was on the list this recently is about to come down again. */
const QUIET_MS = 1_500;
/** A tap is told a little after the finger has left. */
const RELEASE_MS = 400;
/** Scrolled less than this is not scrolled. */
const TOP_PX = 4;

/**
 * What somebody does with the list of leads: nothing; `reading`, when it is scrolled, or was touched a moment
 * ago; `pressing`, from the moment a pointer comes down on it until its tap is told.
 */
export type Reading = "idle" | "reading" | "pressing";

const isOnList = ({ target }: Event) => target instanceof Element && target.closest(".leads") !== null;

let current: Reading = "idle";
const down = new Set<number>();
let touchedAt = Number.NEGATIVE_INFINITY;
let releasedAt = Number.NEGATIVE_INFINITY;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Whether a page scrolled to there stands further down than its top. */
export const isScrolled = (scrolled: number) => scrolled > TOP_PX;

function look() {
  clearTimeout(timer);
  const now = performance.now();
  const pressedMs = down.size > 0 ? Infinity : releasedAt + RELEASE_MS - now;
  const quietInMs = touchedAt + QUIET_MS - now;
  const next = pressedMs > 0 ? "pressing" : quietInMs > 0 || isScrolled(scrollY) ? "reading" : "idle";
  const turnsInMs = pressedMs > 0 ? pressedMs : quietInMs;
  if (turnsInMs > 0 && turnsInMs < Infinity) timer = setTimeout(look, turnsInMs);
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener();
}

function touch(event: Event) {
  if (!isOnList(event)) return;
  touchedAt = performance.now();
  look();
}

function press(event: PointerEvent) {
  if (!isOnList(event)) return;
  down.add(event.pointerId);
  touch(event);
}

function release(event: PointerEvent) {
  if (!down.delete(event.pointerId)) return;
  touchedAt = performance.now();
  // A finger that scrolls taps nothing.
  if (event.type === "pointerup") releasedAt = touchedAt;
  look();
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    addEventListener("pointerdown", press, { passive: true });
    addEventListener("pointermove", touch, { passive: true });
    addEventListener("pointerup", release, { passive: true });
    addEventListener("pointercancel", release, { passive: true });
    addEventListener("scroll", look, { passive: true });
  }
  listeners.add(listener);
  look();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    removeEventListener("pointerdown", press);
    removeEventListener("pointermove", touch);
    removeEventListener("pointerup", release);
    removeEventListener("pointercancel", release);
    removeEventListener("scroll", look);
    clearTimeout(timer);
    down.clear();
  };
}

/** What somebody does with the list of leads just now. */
export function useReading(): Reading {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => "idle",
  );
}
