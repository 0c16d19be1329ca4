const SWIPE_PX = 50;
const HOTKEY = "F8";

/**
 * Lets a toast be swiped away to the right and jumped to with F8. It leaves by itself after five seconds,
 * which the style sheet sees to; while it is focused or under the pointer it stays.
 * @param toast the toast's element
 * @returns takes all of it back
 */
export function listenToToast(toast: HTMLElement): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let from: number | null = null;

  toast.tabIndex = -1;
  const moveTo = (px: number) => {
    toast.style.translate = px ? `${px}px` : "";
  };
  const dismiss = () => {
    toast.hidden = true;
  };
  addEventListener("keydown", (event) => event.key === HOTKEY && toast.focus(), { signal });
  toast.addEventListener("keydown", (event) => event.key === "Escape" && dismiss(), { signal });
  toast.addEventListener(
    "pointerdown",
    (event) => {
      from = event.clientX;
      toast.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  toast.addEventListener(
    "pointermove",
    (event) => {
      if (from !== null) moveTo(Math.max(0, event.clientX - from));
    },
    { signal },
  );
  const release = (event: PointerEvent) => {
    const swiped = from !== null && event.clientX - from >= SWIPE_PX;
    from = null;
    if (swiped) dismiss();
    else moveTo(0);
  };
  toast.addEventListener("pointerup", release, { signal });
  const giveUp = () => {
    from = null;
    moveTo(0);
  };
  toast.addEventListener("pointercancel", giveUp, { signal });
  return () => listening.abort();
}
