import { createContext, use, useCallback, useEffect, useRef, useState } from "react";

import { Icon } from "./icon.tsx";
import { Toast } from "./toast.tsx";
import { listenToToasts } from "./toast-gestures.ts";

export type ToastMessage = {
  title: string;
  description?: string;
  tone?: "calm" | "destructive";
  /** Undoes the action that the message reports. Available for eight seconds, while the toast is shown. */
  undo?: (() => void) | undefined;
  /** The next action, available for the same time. */
  next?: { label: string; act: () => void };
};

const ToastContext = createContext<((message: ToastMessage) => void) | null>(null);

function useGestures() {
  useEffect(() => {
    const gone = new AbortController();
    listenToToasts(gone.signal);
    return () => gone.abort();
  }, []);
}

/**
 * Shows one short message at a time. A new message replaces the last. Toasts look like those of the documents. They
 * appear over the top bar and above any dialog. Screen readers announce them, and the user can dismiss them.
 */
export function Toaster({ children }: { children: React.ReactNode }) {
  const [shown, setShown] = useState<(ToastMessage & { key: number }) | null>(null);
  const region = useRef<HTMLElement>(null);
  useGestures();
  useEffect(() => {
    // The top layer is a stack, so show the region again to move a toast above a newer dialog. Also show the empty
    // region from the start, because screen readers announce changes only in an existing region.
    if (!shown && region.current?.matches(":popover-open")) return;
    region.current?.hidePopover();
    region.current?.showPopover();
  }, [shown]);
  const show = useCallback(
    (message: ToastMessage) => setShown((last) => ({ ...message, key: (last?.key ?? 0) + 1 })),
    [],
  );
  const dismiss = () => setShown(null);
  return (
    <ToastContext value={show}>
      {children}
      <section
        ref={region}
        popover="manual"
        className="toasts"
        aria-label="Messages (F8)"
        aria-live={shown?.tone === "destructive" ? "assertive" : "polite"}
      >
        {shown && (
          <Toast
            key={shown.key}
            title={shown.title}
            text={shown.description}
            destructive={shown.tone === "destructive"}
            isLong={shown.undo !== undefined || shown.next !== undefined}
            role="none"
            onEnd={dismiss}
          >
            {shown.undo && <ActionButton label="Undo" act={shown.undo} onDone={dismiss} />}
            {shown.next && <ActionButton {...shown.next} onDone={dismiss} />}
            <button
              type="button"
              className="icon-button"
              aria-label="Dismiss"
              // A press here must not start a swipe.
              onPointerDown={(event) => event.stopPropagation()}
              onClick={dismiss}
            >
              <Icon name="close" />
            </button>
          </Toast>
        )}
      </section>
    </ToastContext>
  );
}

function ActionButton({ label, act, onDone }: { label: string; act: () => void; onDone: () => void }) {
  return (
    <button
      type="button"
      className="toast__undo"
      onPointerDown={(event) => event.stopPropagation()}
      onClick={() => {
        onDone();
        act();
      }}
    >
      {label}
    </button>
  );
}

export function useToast(): (message: ToastMessage) => void {
  const show = use(ToastContext);
  if (!show) throw new Error("No Toaster");
  return show;
}
