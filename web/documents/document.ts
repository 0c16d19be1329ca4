import type { ComponentType } from "react";

import type { DraftKey } from "./stored-draft.ts";
import type { hydrateIsland } from "./hydrate-island.tsx";
import { fetchTokenOnFirstInteraction } from "./form-start.ts";
import { listenToToasts } from "../ui/toast-gestures.ts";
import { showStickyBar } from "./show-sticky-bar.ts";

/**
 * Starts everything in a document that needs script. Islands hydrate at the first touch or focus. Documents without
 * such parts do not load this script.
 */
function startScripts() {
  for (const element of document.querySelectorAll<HTMLElement>("[data-island]"))
    hydrateOnInteraction(element);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-require-text]")) requireText(form);
  listenToToasts();
  for (const bar of document.querySelectorAll<HTMLElement>("[data-sticky-bar]")) showStickyBar(bar);
  addEventListener("keydown", closeOnEscape);
}

/** Opens the page's close link, if it has one, on Escape. */
function closeOnEscape(event: KeyboardEvent) {
  const closeLink = document.querySelector<HTMLElement>("[data-close]");
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || !closeLink) return;
  if (document.querySelector("dialog[open]")) return;
  // Otherwise the same key press would close the dialog that the link may open.
  event.preventDefault();
  closeLink.click();
}

/** Original HTML of the islands, copied before the browser translates it. Translators wait until the page is parsed. */
const originals = new Map<Element, string>();
for (const island of document.querySelectorAll("[data-island]")) originals.set(island, island.innerHTML);

/** Let the browser paint first. Visitors do not touch the page earlier. */
requestAnimationFrame(() => setTimeout(startScripts));

/** A mouse over the island, a finger, or the keyboard focus. */
const INTERACTION_EVENTS = ["pointerover", "touchstart", "focusin"];

type IslandModule = { default: ComponentType<object>; hydrateIsland: typeof hydrateIsland };

function filesOf(element: HTMLElement): string[] {
  return element.dataset.island!.split(" ");
}

/** Preloads modules without running them, after the page has loaded. */
function preloadModules(files: readonly string[]) {
  if (document.readyState !== "complete") {
    addEventListener("load", () => preloadModules(files), { once: true });
    return;
  }
  for (const file of files) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = file;
    document.head.appendChild(link);
  }
}

/** Returns whether this page has a stored draft. This script is inline, so it cannot share `storedDraft` with the islands. */
function hasDraft(): boolean {
  try {
    return sessionStorage.getItem(`draft ${location.pathname}` satisfies DraftKey) !== null;
  } catch {
    // The browser blocks storage, so there is no draft.
    return false;
  }
}

function hydrateOnInteraction(element: HTMLElement) {
  let started = false;
  let tapped: HTMLElement | null | undefined;
  // In development the script may run before the browser has parsed the island.
  const html = originals.get(element) ?? element.innerHTML;
  const start = async () => {
    if (started) return;
    started = true;
    try {
      // Load the island and its imports in parallel.
      const modules = filesOf(element).map(
        (file) => import(/* @vite-ignore */ file) as Promise<IslandModule>,
      );
      const island = (await Promise.all(modules))[0]!;
      island.hydrateIsland(element, island.default, html);
      // The island now handles events: repeat the earlier tap.
      tapped?.click();
    } catch (error) {
      // The connection failed. The page works without the island, and the next touch tries again.
      started = false;
      if (import.meta.env.DEV) reportError(error);
    }
  };
  element.addEventListener("click", ({ target }) => {
    // Only these buttons need script. Other buttons and links work without it.
    if (!("hydrated" in element.dataset)) tapped = (target as Element).closest<HTMLElement>("[type=button]");
  });
  if (element.dataset.when === "now") preloadModules(filesOf(element));
  // Start at once if a field has the focus already, or if there is a draft to restore or a photo to send.
  const hasOwnDraft = hasDraft() && element.querySelector("[name=startToken],[type=file]");
  if (hasOwnDraft || element.matches(":focus-within")) void start();
  for (const touch of INTERACTION_EVENTS) element.addEventListener(touch, start, { passive: true });
  fetchTokenOnFirstInteraction(element, INTERACTION_EVENTS);
}

/**
 * Disables a form's button while its text is empty or only spaces. Before or without the script, the browser checks
 * `required` and `pattern` when the visitor sends the form.
 * @param form marked with `data-require-text`; contains one text input and one button
 */
function requireText(form: HTMLFormElement) {
  const input = form.querySelector("input");
  const button = form.querySelector("button");
  if (!input || !button) return;
  const update = () => {
    button.disabled = input.value.trim() === "";
  };
  input.addEventListener("input", update);
  // The browser may restore the text without an event when the visitor comes back.
  addEventListener("pageshow", update);
  update();
}
