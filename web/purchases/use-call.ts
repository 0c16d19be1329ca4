import { useEffect, useSyncExternalStore } from "react";

import { CallTracker, type CallStorage, type CallView } from "./call-tracker.ts";

const STORAGE_KEY = "naturestrip-call";

/**
 * Stores the call in `localStorage`, without the customer's name. Without storage, the app remembers a call until the
 * page closes.
 */
const callStorage: CallStorage = {
  read() {
    try {
      return localStorage.getItem(STORAGE_KEY);
    } catch {
      return null;
    }
  },
  write(text) {
    try {
      if (text === null) localStorage.removeItem(STORAGE_KEY);
      else localStorage.setItem(STORAGE_KEY, text);
    } catch {
      // Without storage, the app still asks until the page closes.
    }
  },
};

/** This window's call tracker. The server also imports this module but starts no calls. */
export const callTracker = new CallTracker(callStorage);

const NO_CALL: CallView = { call: null, isShownInLead: false };

export function useCall(): CallView {
  return useSyncExternalStore(callTracker.subscribe, callTracker.view, () => NO_CALL);
}

/** Detects the user's return from a call while the page is open. */
export function useCallReturn(): void {
  useEffect(() => {
    const askIfVisible = () => document.visibilityState === "visible" && callTracker.askOnReturn();
    document.addEventListener("visibilitychange", askIfVisible);
    addEventListener("focus", askIfVisible);
    // The page was restored from the back/forward cache.
    addEventListener("pageshow", askIfVisible);
    return () => {
      document.removeEventListener("visibilitychange", askIfVisible);
      removeEventListener("focus", askIfVisible);
      removeEventListener("pageshow", askIfVisible);
    };
  }, []);
}
