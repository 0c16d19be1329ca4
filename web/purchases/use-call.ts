import { useEffect, useSyncExternalStore } from "react";

import { CallDesk, type CallMemory, type CallView } from "./call-desk.ts";

const NAME = "naturestrip-call";

/** What is kept names a purchase by its id and nobody by name. Where storage is forbidden, less is remembered. */
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
      // The question is asked all the same while the page lives.
    }
  },
};

/** The one of this window. The server renders this module too, and calls nobody. */
export const callDesk = new CallDesk(memory);

const NOBODY: CallView = { call: null, isShownByLead: false };

/** The call that is under way or to be told of. */
export function useCall(): CallView {
  return useSyncExternalStore(callDesk.subscribe, callDesk.view, () => NOBODY);
}

/** Notices when somebody comes back from a call, for as long as the page is open. */
export function useCallReturn(): void {
  useEffect(() => {
    const back = () => document.visibilityState === "visible" && callDesk.back();
    document.addEventListener("visibilitychange", back);
    addEventListener("focus", back);
    // A page that was kept whole behind the telephone's screen.
    addEventListener("pageshow", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      removeEventListener("focus", back);
      removeEventListener("pageshow", back);
    };
  }, []);
}
