import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { useBackCloses } from "./use-back-closes.ts";
import { useKeyboardRoom } from "./use-keyboard-room.ts";

/**
 * Makes everything beside an element inert, but for what others put on the page (frames) and messages.
 * @returns undoes it
 */
function silenceRest(element: HTMLElement): () => void {
  const silenced: HTMLElement[] = [];
  for (let inner: HTMLElement = element; inner !== document.body; inner = inner.parentElement!) {
    for (const other of inner.parentElement?.children ?? []) {
      if (other === inner || !(other instanceof HTMLElement) || other.inert) continue;
      if (other.matches("script, iframe, [popover=manual]")) continue;
      if (other.querySelector("iframe, [popover=manual]")) continue;
      other.inert = true;
      silenced.push(other);
    }
  }
  return () => {
    for (const other of silenced) other.inert = false;
  };
}

/**
 * A modal dialog, open for as long as it is rendered. The browser keeps the focus inside and gives it
 * back; Escape, the browser's way back, the cross and a click beside it ask to close. It stands at the end of the page, so that it
 * looks the same wherever it is opened from.
 * @param onPage keeps it out of the browser's top layer, for windows that others open over it (a bank's):
 *   those would lie below. A click beside it then does nothing.
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
  useBackCloses(onClose);
  useKeyboardRoom(ref);
  // Before the dialog leaves the document: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const opener = document.activeElement;
    if (onPage) dialog.show();
    else dialog.showModal();
    // Not Close, the first button: a screen reader begins with the title.
    heading.current!.focus();
    if (!onPage) return () => dialog.close();
    const unsilence = silenceRest(dialog);
    return () => {
      unsilence();
      dialog.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [onPage]);
  const hearEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.defaultPrevented) onClose();
  });
  useEffect(() => {
    // Only the top layer's dialogs hear of Escape by themselves. On the document: what had the focus may
    // have left the dialog.
    if (!onPage) return;
    const hear = (event: KeyboardEvent) => hearEscape(event);
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
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
      <div className="dialog__body">
        <header className="dialog__head">
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
 * The end of a dialog: the way back, then what it is about.
 * @param children the button that does it
 */
export function DialogFoot({
  back = "Cancel",
  onBack,
  disabled,
  children,
}: {
  back?: string;
  onBack: () => void;
  /** While there is no way back. */
  disabled?: boolean;
  children: React.ReactNode;
}) {
  return (
    <div className="dialog__foot">
      <Button look="quiet" disabled={disabled} onClick={onBack}>
        {back}
      </Button>
      {children}
    </div>
  );
}
