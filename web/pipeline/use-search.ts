import { useEffect, useRef, useState } from "react";

import type { PlaceChange } from "../lib/use-place.ts";

/** Debounce before the URL changes. The list updates at once. */
const ADDRESS_MS = 300;

/**
 * Returns the search field's text. While the user types, the URL follows the field. After navigation, the field follows
 * the URL.
 */
export function useSearch(
  q: string | undefined,
  go: (change: PlaceChange, isStep?: boolean) => void,
): [search: string, type: (text: string) => void] {
  const [search, setSearch] = useState(q ?? "");
  const sent = useRef(q ?? "");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const inAddress = q ?? "";
    if (inAddress === sent.current) return;
    sent.current = inAddress;
    clearTimeout(timer.current);
    setSearch(inAddress);
  }, [q]);
  const type = (text: string) => {
    setSearch(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = text.trim();
      go({ q: sent.current || null }, true);
    }, ADDRESS_MS);
  };
  return [search, type];
}
