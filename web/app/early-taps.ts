/**
 * Keeps a tap made before hydration, shows at once that it was received, and replays it after hydration. A lead is
 * taken at once, because other buyers race for it. Links, menus and details work by themselves. Application pages
 * inline this script; it imports nothing and runs as soon as it is parsed.
 */
import type { EarlyTake } from "../lib/early-take.ts";

/** Buttons that only the application's script can handle. */
const BUTTON = "button:not([popovertarget])";

const HEARD = "One moment…";
const TAKEN = "Reserved for you…";

/** The last button tapped. A tap on another button replaces it. */
let kept: HTMLElement | null = null;

/** @param words the button's text while it waits; empty leaves that to the style sheet */
function show(button: HTMLElement | null, words = "") {
  if (kept) delete kept.dataset.heard;
  kept = button;
  if (button) button.dataset.heard = words;
  const news = document.querySelector("#heard");
  if (news) news.textContent = button ? words || HEARD : "";
}

/**
 * Takes the lead of a tapped Buy button, as the application does when its dialog opens.
 * @param left resolves once the lead tapped before is released: a new provider can hold no other until then
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
    // A retry cannot change any other refusal.
    return code === "newcomer_limit" || code === "too_many_holds" ? left.then(ask) : response;
  };
  const early: EarlyTake = { leadId, askedAt: Date.now(), answer: ask().then(askAgain) };
  window.earlyTake = early;
  void tellTaken(button, early);
}

/** Shows on the button that the lead is held. If it was refused, the dialog says why. */
async function tellTaken(button: HTMLElement, { answer }: EarlyTake) {
  const response = await answer.catch(() => null);
  if (response?.ok && kept === button) show(button, TAKEN);
}

/** Releases a taken lead in favour of another one. */
async function letGo({ answer }: EarlyTake) {
  delete window.earlyTake;
  try {
    const { holdId } = (await (await answer).json()) as { holdId?: string };
    if (holdId) await fetch(`/api/exchange/holds/${holdId}`, { method: "DELETE" });
  } catch {
    // The exchange's alarm releases it.
  }
}

function keep(event: MouseEvent) {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>(BUTTON) : null;
  if (!button) return;
  // React must not handle it too while hydrating, and no form may submit without it.
  event.preventDefault();
  event.stopImmediatePropagation();
  if (button === kept) return;
  show(button);
  const left = window.earlyTake ? letGo(window.earlyTake) : null;
  const leadId = button.closest<HTMLElement>("[data-lead]")?.dataset.lead;
  if (leadId && button.dataset.take) take(button, leadId, left);
}

// Listen on the window, to run before listeners on the document.
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
