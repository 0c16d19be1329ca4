import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";

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
  useEffect(() => () => clearTimeout(timer.current), []);
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  const isLeaving = next !== undefined && next.pathname !== pathname;
  useEffect(() => {
    // A new query would cancel the navigation to a page that is still loading.
    if (isLeaving) clearTimeout(timer.current);
  }, [isLeaving]);
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
