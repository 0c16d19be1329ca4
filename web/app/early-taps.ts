/**
 * Stores a tap made before hydration, shows at once that it was received, and replays it after hydration. A tap on Buy
 * also holds the lead at once, because other buyers compete for it. Links, menus and details work without script.
 * Application pages inline this script. It imports no code and runs as soon as the browser has parsed it.
 */
import type { EarlyHold } from "../lib/early-hold.ts";

/** Buttons that need the application's script. */
const BUTTON = "button:not([popovertarget])";

const RECEIVED_TEXT = "One moment…";
const RESERVED_TEXT = "Reserved for you…";

/** The last button tapped. A tap on another button replaces it. */
let storedTap: HTMLElement | null = null;

/**
 * Marks the tapped button and announces it to screen readers.
 * @param words the button's text while it waits; empty for the text in the style sheet
 */
function markButton(button: HTMLElement | null, words = "") {
  if (storedTap) delete storedTap.dataset.tapped;
  storedTap = button;
  if (button) button.dataset.tapped = words;
  const announcer = document.querySelector("#tapped");
  if (announcer) announcer.textContent = button ? words || RECEIVED_TEXT : "";
}

/**
 * Holds the lead when the user taps Buy, as the application does when its dialog opens.
 * @param released resolves after the earlier lead is released; a new provider cannot hold a second lead before that
 */
function requestHold(button: HTMLElement, leadId: string, released: Promise<void> | null) {
  const sendRequest = () =>
    fetch("/api/exchange/holds", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ leadId, amount: Number(button.dataset.take) }),
    });
  const retryAfterRelease = async (response: Response) => {
    if (!released || response.status !== 409) return response;
    const { code } = (await response.clone().json()) as { code?: string };
    // Retry only the refusals that the release can resolve.
    return code === "newcomer_limit" || code === "too_many_holds" ? released.then(sendRequest) : response;
  };
  const early: EarlyHold = { leadId, requestedAt: Date.now(), answer: sendRequest().then(retryAfterRelease) };
  window.earlyHold = early;
  void showReserved(button, early);
}

/** Shows on the button that the lead is on hold for the user. If the server refuses, the dialog shows the reason. */
async function showReserved(button: HTMLElement, { answer }: EarlyHold) {
  const response = await answer.catch(() => null);
  if (response?.ok && storedTap === button) markButton(button, RESERVED_TEXT);
}

/** Releases the earlier lead when the user taps another one. */
async function releaseHold({ answer }: EarlyHold) {
  delete window.earlyHold;
  try {
    const { holdId } = (await (await answer).json()) as { holdId?: string };
    if (holdId) await fetch(`/api/exchange/holds/${holdId}`, { method: "DELETE" });
  } catch {
    // The exchange's alarm will release it.
  }
}

function storeTap(event: MouseEvent) {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>(BUTTON) : null;
  if (!button) return;
  // Stop React from handling the tap during hydration, and stop forms from submitting.
  event.preventDefault();
  event.stopImmediatePropagation();
  if (button === storedTap) return;
  markButton(button);
  const released = window.earlyHold ? releaseHold(window.earlyHold) : null;
  const leadId = button.closest<HTMLElement>("[data-lead]")?.dataset.lead;
  if (leadId && button.dataset.take) requestHold(button, leadId, released);
}

// Listen on the window, so that this runs before React's listener on the document.
addEventListener("click", storeTap, { capture: true });
document.addEventListener(
  "hydrated",
  () => {
    removeEventListener("click", storeTap, { capture: true });
    const button = storedTap;
    markButton(null);
    button?.click();
  },
  { once: true },
);
