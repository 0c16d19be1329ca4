const SWIPE_PX = 50;
const HOTKEY = "F8";

function toastAt({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(".toast") : null;
}

/**
 * Lets visitors swipe toasts away to the right, focus them with F8 and close them with Escape. The style sheet hides a
 * toast after five seconds, unless it is focused or under the pointer. The listeners are on the whole page, because
 * islands add toasts later.
 * @param signal removes the listeners when aborted
 */
export function listenToToasts(signal?: AbortSignal): void {
  const listen: typeof addEventListener = (type: string, listener: EventListenerOrEventListenerObject) =>
    addEventListener(type, listener, signal && { signal });
  let swipe: { toast: HTMLElement; fromPx: number } | null = null;
  const resetSwipe = () => {
    if (swipe) swipe.toast.style.translate = "";
    swipe = null;
  };
  listen("keydown", (event) => {
    if (event.key === HOTKEY) document.querySelector<HTMLElement>(".toast:not([hidden])")?.focus();
    const toast = event.key === "Escape" && toastAt(event);
    if (toast) toast.hidden = true;
  });
  listen("pointerdown", (event) => {
    const toast = toastAt(event);
    if (!toast) return;
    toast.setPointerCapture(event.pointerId);
    swipe = { toast, fromPx: event.clientX };
  });
  listen("pointermove", ({ clientX }) => {
    if (swipe) swipe.toast.style.translate = `${Math.max(0, clientX - swipe.fromPx)}px`;
  });
  listen("pointerup", ({ clientX }) => {
    if (swipe && clientX - swipe.fromPx >= SWIPE_PX) swipe.toast.hidden = true;
    resetSwipe();
  });
  listen("pointercancel", resetSwipe);
}
