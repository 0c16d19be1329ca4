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
  const show = (scrolledPx: number) => {
    bar.hidden = dismissed || scrolledPx <= THRESHOLD_PX;
  };
  const update = () => show(scrollY);
  bar.querySelector("button")!.addEventListener("click", () => {
    dismissed = true;
    update();
    try {
      sessionStorage.setItem(KEY, "");
    } catch {
      // The same: dismissed until the next page.
    }
  });
  addEventListener("scroll", update, { passive: true });
  // The page may be scrolled already. The observer reports it after layout; reading the position would force a layout.
  new IntersectionObserver(([page], observer) => {
    show(-page!.boundingClientRect.top);
    observer.disconnect();
  }).observe(document.documentElement);
}
