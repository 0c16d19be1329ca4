import type { ReactNode } from "react";
import { createPortal } from "react-dom";

const ID = "bar-notice";

/** Marks the place in the top bar where the page shows its notice. */
export function BarNoticePlace() {
  return <div id={ID} className="bar-notice" />;
}

/** Shows a page's notice in the top bar, where it neither covers nor shifts the page. Renders only in the browser. */
export function BarNotice({ children }: { children: ReactNode }) {
  return createPortal(children, document.getElementById(ID)!);
}
