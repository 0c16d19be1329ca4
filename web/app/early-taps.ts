/**
 * Stores a tap made before hydration, shows at once that it was received, and replays it after hydration. A tap on Buy
 * also holds the lead at once, because other buyers compete for it. Links, menus and details work without script.
 * Application pages inline this script. It imports no code and runs as soon as the browser has parsed it.
 */
import type { EarlyTake } from "../lib/early-take.ts";

/** Buttons that need the application's script. */
const BUTTON = "button:not([popovertarget])";

const HEARD = "One moment…";
const TAKEN = "Reserved for you…";

/** The last button tapped. A tap on another button replaces it. */
let kept: HTMLElement | null = null;

/**
 * Marks the tapped button and announces it to screen readers.
 * @param words the button's text while it waits; empty for the text in the style sheet
 */
function show(button: HTMLElement | null, words = "") {
  if (kept) delete kept.dataset.heard;
  kept = button;
  if (button) button.dataset.heard = words;
  const news = document.querySelector("#heard");
  if (news) news.textContent = button ? words || HEARD : "";
}

/**
 * Holds the lead when the user taps Buy, as the application does when its dialog opens.
 * @param left resolves after the earlier lead is released; a new provider cannot hold a second lead before that
 */
function take(button: HTMLElement, leadId: string, left: Promise<void> | null) {
  const ask = () =>
    fetch("/api/exchange/holds", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ leadId, amount: Number(button.dataset.take) }),
    });
  const askAgain = async (response: Response) => {
    if (!left || response.status !== 409) return response;
    const { code } = (await response.clone().json()) as { code?: string };
    // Retry only the refusals that the release can resolve.
    return code === "newcomer_limit" || code === "too_many_holds" ? left.then(ask) : response;
  };
  const early: EarlyTake = { leadId, askedAt: Date.now(), answer: ask().then(askAgain) };
  window.earlyTake = early;
  void tellTaken(button, early);
}

/** Shows on the button that the lead is on hold for the user. If the server refuses, the dialog shows the reason. */
async function tellTaken(button: HTMLElement, { answer }: EarlyTake) {
  const response = await answer.catch(() => null);
  if (response?.ok && kept === button) show(button, TAKEN);
}

/** Releases the earlier lead when the user taps another one. */
async function letGo({ answer }: EarlyTake) {
  delete window.earlyTake;
  try {
    const { holdId } = (await (await answer).json()) as { holdId?: string };
    if (holdId) await fetch(`/api/exchange/holds/${holdId}`, { method: "DELETE" });
  } catch {
    // The exchange's alarm will release it.
  }
}

function keep(event: MouseEvent) {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>(BUTTON) : null;
  if (!button) return;
  // Stop React from handling the tap during hydration, and stop forms from submitting.
  event.preventDefault();
  event.stopImmediatePropagation();
  if (button === kept) return;
  show(button);
  const left = window.earlyTake ? letGo(window.earlyTake) : null;
  const leadId = button.closest<HTMLElement>("[data-lead]")?.dataset.lead;
  if (leadId && button.dataset.take) take(button, leadId, left);
}

// Listen on the window, so that this runs before React's listener on the document.
addEventListener("click", keep, { capture: true });
document.addEventListener(
  "awake",
  () => {
    removeEventListener("click", keep, { capture: true });
    const button = kept;
    show(null);
    button?.click();
  },
  { once: true },
);
