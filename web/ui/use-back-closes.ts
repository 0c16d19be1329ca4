import { useEffect, useEffectEvent } from "react";

/** An overlay with its own history entry. */
type Layer = { id: string; page: unknown; href: string; close: () => void };

/** The router's state of an entry, and our mark. */
type EntryState = { idx?: unknown; layer?: string } | null;

const layers: Layer[] = [];
let isListening = false;
/** Our own code went back, to drop the entry of a closed overlay. */
let isDropping = false;

const state = () => history.state as EntryState;

function enter(layer: Layer) {
  history.pushState({ ...state(), layer: layer.id }, "");
}

function drop() {
  isDropping = true;
  history.back();
}

function hear(event: PopStateEvent) {
  const { layer: at, idx } = (event.state as EntryState) ?? {};
  const top = layers.at(-1);
  const wasDropping = isDropping;
  isDropping = false;
  if (!top) {
    // Back on an entry whose dialog was closed before.
    if (at) drop();
    else if (wasDropping) event.stopImmediatePropagation();
    return;
  }
  const isSamePage = idx === top.page && location.href === top.href;
  // Keep the router from treating it as a new visit of the page below.
  if (isSamePage) event.stopImmediatePropagation();
  if (at === top.id) return;
  // The overlay may ask first, and stay.
  if (isSamePage) enter(top);
  // Our own step back, which finished after this overlay opened.
  if (isSamePage && wasDropping) return;
  top.close();
}

function leave(layer: Layer) {
  layers.splice(layers.indexOf(layer), 1);
  // A caller that closes a dialog and then navigates must not go back first.
  setTimeout(() => {
    // A step back already in progress continues by itself past entries of closed dialogs.
    if (!isDropping && state()?.layer === layer.id) drop();
  });
}

/**
 * Lets the browser's Back (on a phone, a swipe from the edge) close an overlay.
 * @param close may also ask and stay; called once per step back
 */
export function useBackCloses(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (!isListening) addEventListener("popstate", hear, { capture: true });
    isListening = true;
    const layer: Layer = {
      id: crypto.randomUUID(),
      page: state()?.idx,
      href: location.href,
      close: () => closeNow(),
    };
    layers.push(layer);
    enter(layer);
    return () => leave(layer);
  }, []);
}
