/**
 * Shows a text that changes in place, in a new element for each text. A browser's translator replaces text nodes, and
 * Preact would change the node that is no longer shown.
 */
export function ChangingText({ children }: { children: string }) {
  return <span key={children}>{children}</span>;
}
