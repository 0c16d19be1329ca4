const THRESHOLD_PX = 300;
const KEY = "bar";

/**
 * Shows the bar after the page has scrolled more than 300 px, until the visitor dismisses it for this session.
 * @param bar contains one button, which dismisses it
 */
export function showStickyBar(bar: HTMLElement) {
  let dismissed = false;
  try {
    dismissed = sessionStorage.getItem(KEY) !== null;
  } catch {
    // The browser blocks storage, so dismiss the bar for this page only.
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
      // As above: dismiss it for this page only.
    }
  });
  addEventListener("scroll", update, { passive: true });
  // The page may already be scrolled. The observer reports that after layout; reading the position would force a
  // layout.
  new IntersectionObserver(([page], observer) => {
    show(-page!.boundingClientRect.top);
    observer.disconnect();
  }).observe(document.documentElement);
}
