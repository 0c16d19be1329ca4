import { useEffect } from "react";

import { useStore } from "../lib/store.ts";
import { storedText } from "../lib/stored-text.ts";
import { CallTracker, type CallView } from "./call-tracker.ts";

/** This window's call tracker. Without storage, it remembers a call until the page closes. */
export const callTracker = new CallTracker(storedText("local", "naturestrip-call"));

const NO_CALL: CallView = { call: null, isShownInLead: false };

export function useCall(): CallView {
  return useStore({ subscribe: callTracker.subscribe, read: callTracker.view }, NO_CALL);
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
