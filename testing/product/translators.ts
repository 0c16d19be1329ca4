/** Imitates a browser's translator. Tests send it to the page as text, so it cannot use this module. */

/** Wraps and replaces each text as Google's translator does. */
export function translate(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (!text.data.trim() || text.parentElement!.closest("script, style, textarea, option")) continue;
    const outer = document.createElement("font");
    const inner = outer.appendChild(document.createElement("font"));
    inner.textContent = `¡${text.data}!`;
    text.replaceWith(outer);
  }
}
