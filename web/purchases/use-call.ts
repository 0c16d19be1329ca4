import { useEffect, useSyncExternalStore } from "react";

import { CallTracker, type CallStorage, type CallView } from "./call-tracker.ts";

const NAME = "naturestrip-call";

/**
 * Stores the call in `localStorage`, without the customer's name. Without storage, the app remembers a call until the
 * page closes.
 */
const callStorage: CallStorage = {
  read() {
    try {
      return localStorage.getItem(NAME);
    } catch {
      return null;
    }
  },
  write(text) {
    try {
      if (text === null) localStorage.removeItem(NAME);
      else localStorage.setItem(NAME, text);
    } catch {
      // Without storage, the app still asks until the page closes.
    }
  },
};

/** This window's call desk. The server also imports this module but starts no calls. */
export const callTracker = new CallTracker(callStorage);

const NO_CALL: CallView = { call: null, isShownInLead: false };

export function useCall(): CallView {
  return useSyncExternalStore(callTracker.subscribe, callTracker.view, () => NO_CALL);
}

/** Detects the user's return from a call while the page is open. */
export function useCallReturn(): void {
  useEffect(() => {
    const back = () => document.visibilityState === "visible" && callTracker.back();
    document.addEventListener("visibilitychange", back);
    addEventListener("focus", back);
    // The page was restored from the back/forward cache.
    addEventListener("pageshow", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      removeEventListener("focus", back);
      removeEventListener("pageshow", back);
    };
  }, []);
}
