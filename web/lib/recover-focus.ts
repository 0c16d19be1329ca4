const FOCUSABLE = "a[href], button:not(:disabled), summary, [tabindex]";
const FIELDS = "input, select, textarea";

/** A focused element and its ancestors within one layer of the page, nearest first. */
type Trail = readonly Element[];

/** The last trail on the page, followed by one for each open dialog. */
let trails: readonly Trail[] = [];
let frame = 0;

function trailOf(element: Element): Trail {
  const trail: Element[] = [];
  for (let at: Element | null = element; at && at.parentElement?.id !== "main"; at = at.parentElement)
    trail.push(at);
  return trail;
}

const layerOf = (trail: Trail) => trail.find((element) => element instanceof HTMLDialogElement) ?? null;

/** Records the trail of the last element used. Handles clicks too, because Safari does not focus a clicked button. */
function recordTrail({ target }: Event) {
  const focusable = target instanceof Element && target.closest(`${FOCUSABLE}, ${FIELDS}`);
  if (!focusable || focusable.closest("[popover]")) return;
  const trail = trailOf(focusable);
  const layer = layerOf(trail);
  const known = trails.findIndex((other) => layerOf(other) === layer);
  const below =
    known < 0 ? trails.filter((other) => layerOf(other)?.isConnected !== false) : trails.slice(0, known);
  trails = [...below, trail];
}

/**
 * Returns the element to focus. Returns a field only if it had the focus before: on a phone, focus opens the keyboard.
 */
function findFocusable(element: Element, isFirst: boolean): HTMLElement | null {
  if (element.matches(isFirst ? `${FOCUSABLE}, ${FIELDS}` : "[tabindex]")) return element as HTMLElement;
  const title = element.querySelector<HTMLElement>(".dialog__head h2");
  if (title) return title;
  if (element.matches("body, :has(#main)")) return null;
  return (
    [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find((focusable) => focusable.checkVisibility()) ??
    null
  );
}

/** Moves the focus to an element near the one that disappeared. Elements below a dialog cannot take the focus. */
function recover() {
  const last = trails.at(-1)?.[0];
  if (document.activeElement !== document.body || !last) return;
  if (last.isConnected && last.checkVisibility()) return;
  for (const trail of trails.toReversed()) {
    for (const [index, element] of trail.entries()) {
      if (!element.isConnected || !element.checkVisibility()) continue;
      const focusable = findFocusable(element, index === 0);
      focusable?.focus({ preventScroll: true });
      if (focusable && document.activeElement === focusable) return;
    }
  }
  document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
}

/**
 * Moves the focus nearby when the focused element leaves the page. Browsers move the focus to the body. Keyboard and
 * screen reader users would then start from the top.
 * @param signal stops this when aborted
 */
export function recoverFocus(signal: AbortSignal): void {
  const changes = new MutationObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(recover);
  });
  changes.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => changes.disconnect());
  document.addEventListener("focusin", recordTrail, { signal });
  document.addEventListener("click", recordTrail, { signal, capture: true });
}
