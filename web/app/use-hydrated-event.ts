import { useEffect } from "react";

/** Dispatches an event after hydration, so that `early-taps.ts` replays the stored tap. */
export function useHydratedEvent(): void {
  useEffect(() => {
    document.dispatchEvent(new Event("hydrated"));
  }, []);
}
