import { useEffect, useEffectEvent } from "react";

/** Something that lies over the page and has an entry of its own in the history. */
type Layer = { id: string; page: unknown; href: string; close: () => void };

/** What the router keeps with an entry, and our mark. */
type EntryState = { idx?: unknown; layer?: string } | null;

const layers: Layer[] = [];
let isListening = false;
/** The way back was taken by us, to drop an entry that nothing lies on any more. */
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
    // Back on an entry whose dialog has long been closed.
    if (at) drop();
    else if (wasDropping) event.stopImmediatePropagation();
    return;
  }
  const isSamePage = idx === top.page && location.href === top.href;
  // The router must not take it for a new visit of the page below.
  if (isSamePage) event.stopImmediatePropagation();
  if (at === top.id) return;
  // It may want to ask first, and stay.
  if (isSamePage) enter(top);
  // Our own step, that came after this was opened.
  if (isSamePage && wasDropping) return;
  top.close();
}

function leave(layer: Layer) {
  layers.splice(layers.indexOf(layer), 1);
  // Whoever closes a dialog and goes elsewhere at once does not go back first.
  setTimeout(() => {
    // A step that is on its way goes on by itself while it comes to entries of dialogs that are closed.
    if (!isDropping && state()?.layer === layer.id) drop();
  });
}

/**
 * Lets the browser's way back, which on a phone is a thumb at the edge, close what lies over the page.
 * @param close may also ask and stay; it is called once for every step back
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
