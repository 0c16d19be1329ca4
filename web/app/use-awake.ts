import { useEffect } from "react";

/** Announces the end of hydration, which replays earlier taps (`early-taps.ts`). */
export function useAwake(): void {
  useEffect(() => {
    document.dispatchEvent(new Event("awake"));
  }, []);
}
