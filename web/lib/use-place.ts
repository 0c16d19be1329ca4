import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** Changes to the address's query; null takes a parameter out. */
export type PlaceChange = Record<string, string | null>;

/**
 * What the address says about the dashboard, and how to go elsewhere on it. A step (`isStep`) replaces the
 * entry in the history: going back does not repeat every key press.
 */
export function usePlace() {
  const [params, setParams] = useSearchParams();
  const go = useCallback(
    (change: PlaceChange, isStep = false) => {
      // From the address as it is now: whoever calls late, after a pause in typing, undoes nothing.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(change)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      setParams(next, { replace: isStep, preventScrollReset: true });
    },
    [setParams],
  );
  return { params, go };
}
