import { type RefObject, useEffect, useEffectEvent, useRef } from "react";

import { deleteDraft, hasChangedFields } from "../documents/draft.ts";

/** Asks for confirmation before a link marked with `data-close` discards a filled-in form. */
export function LeaveDialog({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const ask = useEffectEvent((event: MouseEvent) => {
    const isClosing = (event.target as Element).closest("[data-close]") !== null;
    if (!isClosing || !hasChangedFields(form.current!)) return;
    event.preventDefault();
    if (!dialog.current!.open) dialog.current!.showModal();
  });
  useEffect(() => {
    const handleClick = (event: MouseEvent) => ask(event);
    document.addEventListener("click", handleClick);
    return () => document.removeEventListener("click", handleClick);
  }, []);

  return (
    <dialog className="leave" aria-labelledby="leave-title" ref={dialog}>
      <h2 id="leave-title">Leave without sending?</h2>
      <p>We’ll clear what you’ve filled in.</p>
      <div className="leave__acts">
        <button type="button" className="button button--main" onClick={() => dialog.current!.close()}>
          Keep going
        </button>
        <a className="button button--quiet" href="/" onClick={() => deleteDraft(form.current!)}>
          Leave
        </a>
      </div>
    </dialog>
  );
}
