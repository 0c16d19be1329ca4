import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { useCloseOnBack } from "./use-close-on-back.ts";
import { useKeyboardInset } from "./use-keyboard-inset.ts";

/**
 * Makes everything outside an element inert. Skips iframes and manual popovers, which belong to other code.
 * @returns a function that restores the page
 */
function makeRestInert(element: HTMLElement): () => void {
  const inertElements: HTMLElement[] = [];
  for (let inner: HTMLElement = element; inner !== document.body; inner = inner.parentElement!) {
    for (const other of inner.parentElement?.children ?? []) {
      if (other === inner || !(other instanceof HTMLElement) || other.inert) continue;
      if (other.matches("script, iframe, [popover=manual]")) continue;
      if (other.querySelector("iframe, [popover=manual]")) continue;
      other.inert = true;
      inertElements.push(other);
    }
  }
  return () => {
    for (const other of inertElements) other.inert = false;
  };
}

/**
 * Shows a modal dialog, open while mounted. The browser keeps the focus inside and restores it afterwards. Escape, the
 * browser's Back, the cross and a click outside the dialog call `onClose`. It is rendered at the end of the page, so it
 * looks the same wherever it is opened.
 * @param onPage keeps the dialog out of the top layer, where it would cover windows that other code opens, such as a
 *   bank's. A click outside then does nothing.
 */
export function Dialog({
  title,
  onPage = false,
  onClose,
  children,
}: {
  title: string;
  onPage?: boolean;
  onClose: () => void;
  children: React.ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const pressedOutside = useRef(false);
  const titleId = useId();
  useCloseOnBack(onClose);
  useKeyboardInset(ref);
  // Close before the dialog leaves the document: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const opener = document.activeElement;
    if (onPage) dialog.show();
    else dialog.showModal();
    // Focus the title rather than Close, the first button, so that screen readers start there.
    heading.current!.focus();
    if (!onPage) return () => dialog.close();
    const restoreRest = makeRestInert(dialog);
    return () => {
      restoreRest();
      dialog.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [onPage]);
  // A new title means new content, so start at its top.
  useLayoutEffect(() => {
    ref.current!.scrollTop = 0;
    // oxlint-disable-next-line react/exhaustive-deps, react/exhaustive-effect-dependencies -- see above
  }, [title]);
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.defaultPrevented) onClose();
  });
  useEffect(() => {
    // Only dialogs in the top layer receive Escape on their own. Listen on the document: the focused element may have
    // left the dialog.
    if (!onPage) return;
    const handleKeyDown = (event: KeyboardEvent) => closeOnEscape(event);
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, [onPage]);
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the key for it
    <dialog
      ref={ref}
      className="dialog"
      data-on-page={onPage || undefined}
      aria-modal="true"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A drag that starts in a field and ends beside the dialog must not close it.
      onPointerDown={(event) => {
        pressedOutside.current = event.target === ref.current;
      }}
      onClick={(event) => {
        if (event.target === ref.current && pressedOutside.current) onClose();
      }}
    >
      <div className="stack gap-4 dialog__body">
        <header className="line dialog__head">
          <h2 id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}

/**
 * Shows a dialog's footer: the back button, then the action.
 * @param children the action's button
 */
export function DialogFooter({
  back = "Cancel",
  onBack,
  disabled,
  children,
}: {
  back?: string;
  onBack: () => void;
  disabled?: boolean;
  children: React.ReactNode;
}) {
  return (
    <div className="form__foot dialog__foot">
      <Button variant="quiet" disabled={disabled} onClick={onBack}>
        {back}
      </Button>
      {children}
    </div>
  );
}
