import { useSearchParams } from "react-router";

/** Changes to the address's query; null takes a parameter out. */
export type PlaceChange = Record<string, string | null>;

/**
 * What the address says about the dashboard, and how to go elsewhere on it. A step (`isStep`) replaces the
 * entry in the history: going back does not repeat every key press.
 */
export function usePlace() {
  const [params, setParams] = useSearchParams();
  const go = (change: PlaceChange, isStep = false) => {
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(change)) {
          if (value === null || value === "") next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: isStep, preventScrollReset: true },
    );
  };
  return { params, go };
}
