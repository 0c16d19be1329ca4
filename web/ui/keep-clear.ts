import { type Box, type Cover, costAt, NEEDED, topFor } from "./toast-place.ts";

/** What is needed of an open dialog: its title, the way out, the main action. */
const NEEDED_OF_DIALOG =
  ".dialog__head, .dialog__foot, .button--main, .button--large, .button[type=submit], [data-uncovered]";
/** What is needed of a page, where it says so. */
const NEEDED_OF_PAGE = "[data-uncovered]";
/** What one may be busy with, and what may be tapped: covered only where there is no other place. */
const BUSY: readonly (readonly [parts: string, weight: number])[] = [
  ["input, select, textarea, iframe, [data-in-use]", 20],
  ["h3, output, [role=timer]", 10],
  ["a, button, summary", 5],
];

const boxOf = (element: Element): Box => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
};

function weigh(root: Pick<ParentNode, "querySelectorAll">, parts: string, weight: number): Cover[] {
  return [...root.querySelectorAll(parts)]
    .filter((part) => part.checkVisibility())
    .map((part) => ({ ...boxOf(part), weight }));
}

/** What a message may lie on at its price: parts of the dialog on top, or of the page. */
function findCovers(): Cover[] {
  const dialog = [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")].at(-1);
  if (!dialog) return weigh(document, NEEDED_OF_PAGE, NEEDED);
  return [
    { ...boxOf(dialog), weight: 1 },
    ...weigh(dialog, NEEDED_OF_DIALOG, NEEDED),
    ...BUSY.flatMap(([parts, weight]) => weigh(dialog, parts, weight)),
  ];
}

/** Puts the messages where they cover least, beginning with the place that the style sheet gives them. */
function settle(messages: HTMLElement) {
  messages.style.inset = "";
  const usual = boxOf(messages);
  const top = topFor(usual, findCovers(), visualViewport?.height ?? innerHeight);
  if (top === usual.y) return;
  messages.style.top = `${top}px`;
  messages.style.bottom = "auto";
}

/**
 * Keeps the message that is shown off what is needed next: an open dialog's title, way out and main action, and
 * whatever a page marks `data-uncovered`. It moves again only when one of those comes to lie below it.
 * @param messages where messages lie
 * @returns ends it
 */
export function keepClear(messages: HTMLElement): () => void {
  settle(messages);
  let frame = 0;
  const look = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      if (costAt(boxOf(messages), findCovers()) >= NEEDED) settle(messages);
    });
  };
  const turn = () => settle(messages);
  const changes = new MutationObserver(look);
  changes.observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", turn);
  // A dialog that has risen, a list that is scrolled below it.
  document.addEventListener("animationend", look, { capture: true });
  document.addEventListener("scroll", look, { capture: true, passive: true });
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
    removeEventListener("resize", turn);
    document.removeEventListener("animationend", look, { capture: true });
    document.removeEventListener("scroll", look, { capture: true });
  };
}
