/** Reports how this browser can install the app on the home screen, and whether it is installed. */
import { useSyncExternalStore } from "react";

import { isApplePhone } from "./apple-phone.ts";

/** Chromium's install prompt, saved until the user presses our button. */
type InstallQuestion = Event & { prompt(): Promise<{ outcome: "accepted" | "dismissed" }> };

/**
 * `ask`: our button opens the browser's prompt. `by_hand`: Safari on a phone, where the user takes two steps. `menu`:
 * other browsers, where the user opens the browser's menu. `done`: this window is the installed app.
 */
export type InstallWay = "ask" | "by_hand" | "menu" | "done";

let question: InstallQuestion | null = null;
let isInstalled = false;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

// Listen on import: the browser fires the event once, and early.
if (typeof window !== "undefined") {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    question = event as InstallQuestion;
    notifyListeners();
  });
  addEventListener("appinstalled", () => {
    question = null;
    isInstalled = true;
    notifyListeners();
  });
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function findWay(): InstallWay {
  if (isInstalled || matchMedia("(display-mode: standalone)").matches) return "done";
  if (question) return "ask";
  return isApplePhone() ? "by_hand" : "menu";
}

/** Returns how this browser installs the application. */
export function useInstallWay(): InstallWay {
  return useSyncExternalStore(listen, findWay, () => "menu");
}

/** Shows the browser's install prompt. @returns whether the user accepted */
export async function askToInstall(): Promise<boolean> {
  const asked = question;
  // The prompt works only once.
  question = null;
  const answer = await asked?.prompt();
  notifyListeners();
  return answer?.outcome === "accepted";
}
