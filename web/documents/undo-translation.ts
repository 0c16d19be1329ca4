/** Returns whether the element wraps translated text, as browser translators do. */
const isWrapping = (node: Element) => node.localName === "font";

const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE;

/** Returns whether two nodes have the same child nodes, ignoring the content of their elements. */
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
  // Other code has inserted elements here. Preact will render this part again.
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
 * Restores an island's original texts before Preact compares them with its own render. Otherwise it could discard the
 * whole form. It neither moves nor recreates elements, so focus and selection stay. The browser then translates the
 * page again.
 * @param html the island's original HTML
 */
export function undoTranslation(element: HTMLElement, html: string) {
  const made = document.createElement("div");
  made.innerHTML = html;
  undo(element, made);
}
