/** Keeping the application on the home screen: what this browser offers, and what it has done already. */
import { useSyncExternalStore } from "react";

import { isApplePhone } from "./apple-phone.ts";

/** Chromium's own question, kept until somebody presses our button. */
type InstallQuestion = Event & { prompt(): Promise<{ outcome: "accepted" | "dismissed" }> };

/**
 * `ask`: the browser asks when it is told to. `by_hand`: Safari on a phone, where a person does it in two
 * steps. `menu`: elsewhere, somewhere in the browser's menu. `done`: this window is the installed one.
 */
export type InstallWay = "ask" | "by_hand" | "menu" | "done";

let question: InstallQuestion | null = null;
let isInstalled = false;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

// As soon as the application's code is there: the browser offers it once, and early.
if (typeof window !== "undefined") {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    question = event as InstallQuestion;
    tell();
  });
  addEventListener("appinstalled", () => {
    question = null;
    isInstalled = true;
    tell();
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

/** How this browser puts the application on the home screen. */
export function useInstallWay(): InstallWay {
  return useSyncExternalStore(listen, findWay, () => "menu");
}

/** Has the browser ask. @returns whether the person said yes */
export async function askToInstall(): Promise<boolean> {
  const asked = question;
  // It can be asked once.
  question = null;
  const answer = await asked?.prompt();
  tell();
  return answer?.outcome === "accepted";
}
