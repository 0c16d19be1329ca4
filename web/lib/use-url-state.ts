import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** Changes to the URL's query parameters; null removes a parameter. */
export type UrlChange = Record<string, string | null>;

/**
 * Reads a page's state from the URL, and navigates. With `shouldReplace`, navigation replaces the history entry, so
 * that Back does not repeat every key press.
 */
export function useUrlState() {
  const [params, setParams] = useSearchParams();
  const go = useCallback(
    (change: UrlChange, shouldReplace = false) => {
      // Read the current URL, so that a late caller (after a pause in typing) does not undo other changes.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(change)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      setParams(next, { replace: shouldReplace, preventScrollReset: true });
    },
    [setParams],
  );
  return { params, go };
}
