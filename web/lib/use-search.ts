import { useEffect, useRef, useState } from "react";

import type { UrlChange } from "./use-url-state.ts";

/** Debounce before the URL changes. The list updates immediately. */
const URL_DEBOUNCE_MS = 300;

/**
 * Returns the search field's text. While the user types, the URL follows the field. After navigation, the field follows
 * the URL.
 */
export function useSearch(
  q: string | undefined,
  go: (change: UrlChange, shouldReplace?: boolean) => void,
): [search: string, type: (text: string) => void] {
  const [search, setSearch] = useState(q ?? "");
  const sent = useRef(q ?? "");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // A new query would cancel the navigation to a page that is still loading.
    const leave = ({ target }: Event) => {
      const link = target instanceof Element && target.closest("a");
      if (link && link.pathname !== location.pathname) clearTimeout(timer.current);
    };
    addEventListener("click", leave, true);
    return () => {
      removeEventListener("click", leave, true);
      clearTimeout(timer.current);
    };
  }, []);
  useEffect(() => {
    const urlQuery = q ?? "";
    if (urlQuery === sent.current) return;
    sent.current = urlQuery;
    clearTimeout(timer.current);
    setSearch(urlQuery);
  }, [q]);
  const type = (text: string) => {
    setSearch(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = text.trim();
      go({ q: sent.current || null }, true);
    }, URL_DEBOUNCE_MS);
  };
  return [search, type];
}
