import { useState } from "react";

import { storedText } from "./stored-text.ts";

/**
 * Remembers on this device that a user has dismissed something. Without storage, it stays dismissed until the page
 * closes.
 * @param key the storage key
 * @returns whether the user has dismissed it, and a function that dismisses it
 */
export function useDismissal(key: string, userId: string): [isHidden: boolean, hide: () => void] {
  const dismissed = storedText("local", key);
  const [isHidden, setHidden] = useState(() => dismissed.read() === userId);
  function hide() {
    dismissed.write(userId);
    setHidden(true);
  }
  return [isHidden, hide];
}
