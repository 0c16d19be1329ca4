/**
 * Keeps a tap that comes before the application is awake, shows at once that it was heard, and carries it out
 * once the page can. A lead is taken at once: others race for it meanwhile. Links, menus and details work by
 * themselves. Pages of the application contain this script; it imports nothing and runs as soon as it is read.
 */
import type { EarlyTake } from "../lib/early-take.ts";

/** What nothing but the application's script can carry out. */
const BUTTON = "button:not([popovertarget])";

const HEARD = "One moment…";
const TAKEN = "It's yours…";

/** The last button tapped: whoever taps another one meanwhile means that one. */
let kept: HTMLElement | null = null;

/** @param words what the button says while it waits; empty leaves that to the style sheet */
function show(button: HTMLElement | null, words = "") {
  if (kept) delete kept.dataset.heard;
  kept = button;
  if (button) button.dataset.heard = words;
  const news = document.querySelector("#heard");
  if (news) news.textContent = button ? words || HEARD : "";
}

/**
 * Asks for the lead whose Buy was tapped, as the application does when its window opens.
 * @param left resolves once the lead tapped before is let go of: a new provider can hold no other until then
 */
function take(button: HTMLElement, leadId: string, left: Promise<void> | null) {
  const ask = () =>
    fetch("/api/exchange/holds", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ leadId, amount: Number(button.dataset.take) }),
    });
  const askAgain = (response: Response) => (left && response.status === 409 ? left.then(ask) : response);
  const early: EarlyTake = { leadId, askedAt: Date.now(), answer: ask().then(askAgain) };
  window.earlyTake = early;
  void tellTaken(button, early);
}

/** Says on the button that the lead is theirs. Why it is not, the window that opens says. */
async function tellTaken(button: HTMLElement, { answer }: EarlyTake) {
  const response = await answer.catch(() => null);
  if (response?.ok && kept === button) show(button, TAKEN);
}

/** Lets go of a lead that was taken, for another one. */
async function letGo({ answer }: EarlyTake) {
  delete window.earlyTake;
  try {
    const { holdId } = (await (await answer).json()) as { holdId?: string };
    if (holdId) await fetch(`/api/exchange/holds/${holdId}`, { method: "DELETE" });
  } catch {
    // The exchange's alarm does it.
  }
}

function keep(event: MouseEvent) {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>(BUTTON) : null;
  if (!button) return;
  // React, while it wakes up, must not hear of it too, and no form is sent without it.
  event.preventDefault();
  event.stopImmediatePropagation();
  if (button === kept) return;
  show(button);
  const left = window.earlyTake ? letGo(window.earlyTake) : null;
  const leadId = button.closest<HTMLElement>("[data-lead]")?.dataset.lead;
  if (leadId && button.dataset.take) take(button, leadId, left);
}

// On the window: before whatever listens on the document.
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
