import { useEffect, useEffectEvent } from "react";

/** The router's state of a history entry. `layer` marks the entry of the open overlays. */
type EntryState = { idx?: unknown; layer?: true } | null;

/** Functions that close the open overlays, the topmost last. They share one history entry, above their page's. */
const overlays: (() => void)[] = [];
/** The page below the overlays' entry, as the router last wrote it. */
let page: { state: NonNullable<EntryState>; href: string } | null = null;
/** Whether our own code is going back, to drop the entry of closed overlays. */
let isDropping = false;

const state = () => history.state as EntryState;

function rememberPage() {
  page = { state: { ...state(), layer: undefined }, href: location.href };
}

/** Adds the overlays' entry, unless it is still there. */
function addEntry() {
  rememberPage();
  if (!state()?.layer) history.pushState({ ...state(), layer: true }, "");
}

function dropEntry() {
  rememberPage();
  isDropping = true;
  history.back();
}

function handlePopState(event: PopStateEvent) {
  const { idx, layer } = (event.state as EntryState) ?? {};
  const isSamePage = page !== null && idx === page.state.idx;
  const wasDropping = isDropping;
  isDropping = false;
  const close = overlays.at(-1);
  if (layer && !close) {
    // The user went back to the entry of a dialog that is already closed.
    dropEntry();
  } else if (!isSamePage) {
    page = null;
    close?.();
  } else if (!layer) {
    // The router may have changed the URL while the overlays' entry was on top.
    if (location.href !== page!.href) history.replaceState(page!.state, "", page!.href);
    page = null;
    // Prevent the router from treating this as a new visit to the page.
    if (close || wasDropping) event.stopImmediatePropagation();
    // Restore the entry: the overlay may ask first and stay open.
    if (close) addEntry();
    // Our own `history.back()` may complete after the next overlay has opened.
    if (!wasDropping) close?.();
  }
}

/**
 * Listens for steps back. The application calls it before it starts the router: Chromium calls the window's listeners in
 * their order, and the router must not load the page again when a dialog closes.
 */
export function listenForBack(): void {
  addEventListener("popstate", handlePopState);
  const replaceState = history.replaceState.bind(history);
  // The router replaces an entry's whole state, but the overlays' entry must keep its mark.
  history.replaceState = (data, unused, url) => {
    const layer = state()?.layer;
    replaceState(layer ? { ...data, layer } : data, unused, url);
    if (layer) rememberPage();
  };
  // A reload closed the overlays.
  if (state()?.layer) dropEntry();
}

/**
 * Closes an overlay when the user goes back, with the Back button or a swipe from the edge.
 * @param close closes the overlay, or asks first and keeps it open; called once per step back
 */
export function useCloseOnBack(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    const closeOverlay = () => closeNow();
    overlays.push(closeOverlay);
    addEntry();
    return () => {
      overlays.splice(overlays.indexOf(closeOverlay), 1);
      // A caller that closes a dialog and then navigates must not go back first.
      setTimeout(() => {
        // Do nothing if `history.back()` is in progress: it also drops this entry.
        if (overlays.length === 0 && !isDropping && state()?.layer) dropEntry();
      });
    };
  }, []);
}
