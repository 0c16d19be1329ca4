/** Reports how this browser can install the app on the home screen, and whether it is installed. */
import { isApplePhone } from "./apple-phone.ts";
import { createStore, useStore } from "./store.ts";

/** Chromium's install prompt, saved until the user presses our button. */
type InstallPrompt = Event & { prompt(): Promise<{ outcome: "accepted" | "dismissed" }> };

/**
 * `ask`: our button opens the browser's prompt. `by_hand`: Safari on a phone, where the user takes two steps. `menu`:
 * other browsers, where the user opens the browser's menu. `done`: this window is the installed app.
 */
export type InstallMethod = "ask" | "by_hand" | "menu" | "done";

let installPrompt: InstallPrompt | null = null;
const isInstalled = createStore(false);

// Listen on import: the browser fires the event once, and early.
if (typeof window !== "undefined") {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt = event as InstallPrompt;
    isInstalled.notify();
  });
  addEventListener("appinstalled", () => {
    installPrompt = null;
    isInstalled.write(true);
  });
}

function detectInstallMethod(): InstallMethod {
  if (isInstalled.read() || matchMedia("(display-mode: standalone)").matches) return "done";
  if (installPrompt) return "ask";
  return isApplePhone() ? "by_hand" : "menu";
}

/** Returns how this browser installs the application. */
export function useInstallMethod(): InstallMethod {
  return useStore({ subscribe: isInstalled.subscribe, read: detectInstallMethod }, "menu");
}

/** Shows the browser's install prompt. @returns whether the user accepted */
export async function showInstallPrompt(): Promise<boolean> {
  const asked = installPrompt;
  // The prompt works only once.
  installPrompt = null;
  const choice = await asked?.prompt();
  isInstalled.notify();
  return choice?.outcome === "accepted";
}
