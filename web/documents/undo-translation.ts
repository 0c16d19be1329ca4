/** What translators of browsers wrap texts in. */
const isWrapping = (node: Element) => node.localName === "font";

const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE;

/** Whether two nodes have the same children, but for what is in their elements. */
function hasSameTexts(live: Element, made: Element): boolean {
  return (
    live.childNodes.length === made.childNodes.length &&
    [...live.childNodes].every((node, index) => {
      const { nodeType, nodeValue } = made.childNodes[index]!;
      return node.nodeType === nodeType && node.nodeValue === nodeValue;
    })
  );
}

function undo(live: Element, made: Element) {
  const elements = [...live.children].filter((child) => !isWrapping(child));
  // Something else was put in between: React makes these parts anew.
  if (elements.length !== made.children.length) return;
  const parts = [...made.children];
  if (!hasSameTexts(live, made)) {
    const [old, own] = [[...live.childNodes], [...made.childNodes]];
    for (const node of old) {
      if (!isElement(node) || isWrapping(node)) node.remove();
    }
    let next = 0;
    for (const node of own) {
      if (isElement(node)) next += 1;
      else live.insertBefore(node, elements[next] ?? null);
    }
  }
  for (const [index, part] of parts.entries()) undo(elements[index]!, part);
}

/**
 * Gives an island its own words back before React compares them with what it would write: where they differ it
 * throws the whole form away. Elements are neither moved nor made anew, so focus and selection stay. The
 * browser translates again by itself.
 * @param html what stood in the island when the page came
 */
export function undoTranslation(element: HTMLElement, html: string) {
  const made = document.createElement("div");
  made.innerHTML = html;
  undo(element, made);
}
