import { useEffect, useEffectEvent } from "react";

/** An overlay with its own history entry. */
type Overlay = { id: string; page: unknown; href: string; close: () => void };

/** The router's state of a history entry, with our overlay's ID. */
type EntryState = { idx?: unknown; layer?: string } | null;

const overlays: Overlay[] = [];
let isListening = false;
/** Whether our own code is going back, to drop the entry of a closed overlay. */
let isDropping = false;

const state = () => history.state as EntryState;

function pushEntry(layer: Overlay) {
  history.pushState({ ...state(), layer: layer.id }, "");
}

function drop() {
  isDropping = true;
  history.back();
}

function handlePopState(event: PopStateEvent) {
  const { layer: at, idx } = (event.state as EntryState) ?? {};
  const top = overlays.at(-1);
  const wasDropping = isDropping;
  isDropping = false;
  if (!top) {
    // The user went back to the entry of a dialog that is already closed.
    if (at) drop();
    else if (wasDropping) event.stopImmediatePropagation();
    return;
  }
  const isSamePage = idx === top.page && location.href === top.href;
  // Prevent the router from treating this as a new visit to the page below.
  if (isSamePage) event.stopImmediatePropagation();
  if (at === top.id) return;
  // Restore the entry: the overlay may ask first and stay open.
  if (isSamePage) pushEntry(top);
  // This was our own step back, which finished after the overlay opened.
  if (isSamePage && wasDropping) return;
  top.close();
}

function removeOverlay(layer: Overlay) {
  overlays.splice(overlays.indexOf(layer), 1);
  // A caller that closes a dialog and then navigates must not go back first.
  setTimeout(() => {
    // Do nothing if a step back is in progress: it also drops the entries of closed dialogs.
    if (!isDropping && state()?.layer === layer.id) drop();
  });
}

/**
 * Listens for steps back. The application calls it before it starts the router: Chromium calls the window's listeners in
 * their order, and the router must not load the page again when a dialog closes.
 */
export function listenForBack(): void {
  if (!isListening) addEventListener("popstate", handlePopState);
  isListening = true;
}

/**
 * Closes an overlay when the user goes back, with the Back button or a swipe from the edge.
 * @param close closes the overlay, or asks first and keeps it open; called once per step back
 */
export function useCloseOnBack(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    listenForBack();
    const layer: Overlay = {
      id: crypto.randomUUID(),
      page: state()?.idx,
      href: location.href,
      close: () => closeNow(),
    };
    overlays.push(layer);
    pushEntry(layer);
    return () => removeOverlay(layer);
  }, []);
}
