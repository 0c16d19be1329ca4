import { useState } from "react";

function isDismissed(key: string, userId: string): boolean {
  try {
    return localStorage.getItem(key) === userId;
  } catch {
    return false;
  }
}

/**
 * Remembers on this device that a user has dismissed something. Without storage, it stays dismissed until the page
 * closes.
 * @param key the storage key
 * @returns whether the user has dismissed it, and a function that dismisses it
 */
export function useDismissal(key: string, userId: string): [isHidden: boolean, hide: () => void] {
  const [isHidden, setHidden] = useState(() => isDismissed(key, userId));
  function hide() {
    try {
      localStorage.setItem(key, userId);
    } catch {
      // Without storage.
    }
    setHidden(true);
  }
  return [isHidden, hide];
}
