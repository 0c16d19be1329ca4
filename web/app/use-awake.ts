import { useEffect } from "react";

/** Says that the page answers from now on: what was tapped before is carried out (`early-taps.ts`). */
export function useAwake(): void {
  useEffect(() => {
    document.dispatchEvent(new Event("awake"));
  }, []);
}
