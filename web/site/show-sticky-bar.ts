const THRESHOLD_PX = 300;
const KEY = "bar";

/**
 * Shows the bar once the page is scrolled more than 300 px, until it is dismissed for the session.
 * @param bar holds one button, which dismisses it
 */
export function showStickyBar(bar: HTMLElement) {
  let dismissed = false;
  try {
    dismissed = sessionStorage.getItem(KEY) !== null;
  } catch {
    // Storage is switched off: dismissed until the next page.
  }
  const update = () => {
    bar.hidden = dismissed || scrollY <= THRESHOLD_PX;
  };
  bar.querySelector("button")!.addEventListener("click", () => {
    dismissed = true;
    update();
    sessionStorage.setItem(KEY, "");
  });
  addEventListener("scroll", update, { passive: true });
  // The page may be scrolled already. Asked before its first frame is done, it would have to be laid out for us alone.
  requestAnimationFrame(() => setTimeout(update));
}
