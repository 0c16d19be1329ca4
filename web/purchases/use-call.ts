import { useEffect, useSyncExternalStore } from "react";

import { CallDesk, type CallMemory, type CallView } from "./call-desk.ts";

const NAME = "naturestrip-call";

/**
 * Stores the purchase's ID but no customer name. Without storage, calls are remembered for the page's lifetime only.
 */
const memory: CallMemory = {
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
      // Without storage, the question is still asked while the page lives.
    }
  },
};

/** This window's call desk. The server imports this module too but starts no calls. */
export const callDesk = new CallDesk(memory);

const NO_CALL: CallView = { call: null, isShownByLead: false };

export function useCall(): CallView {
  return useSyncExternalStore(callDesk.subscribe, callDesk.view, () => NO_CALL);
}

/** Detects the user's return from a call while the page is open. */
export function useCallReturn(): void {
  useEffect(() => {
    const back = () => document.visibilityState === "visible" && callDesk.back();
    document.addEventListener("visibilitychange", back);
    addEventListener("focus", back);
    // A page restored from the back/forward cache.
    addEventListener("pageshow", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      removeEventListener("focus", back);
      removeEventListener("pageshow", back);
    };
  }, []);
}
