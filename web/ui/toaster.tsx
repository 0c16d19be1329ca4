import { Toast } from "radix-ui";
import { createContext, use, useCallback, useEffect, useRef, useState } from "react";

import { Icon } from "./icon.tsx";

const SHOWN_MS = 5_000;
const SWIPE_PX = 50;

export type ToastMessage = { title: string; description?: string; tone?: "calm" | "destructive" };

const ToastContext = createContext<((message: ToastMessage) => void) | null>(null);

/** Shows short messages, one at a time; a new one takes the place of the last. F8 jumps to it. */
export function Toaster({ children }: { children: React.ReactNode }) {
  const [shown, setShown] = useState<(ToastMessage & { key: number }) | null>(null);
  const [isOpen, setOpen] = useState(false);
  const viewport = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // The top layer is a stack: raised anew, a toast lies above a dialog opened since the last one.
    if (!shown) return;
    viewport.current?.hidePopover();
    viewport.current?.showPopover();
  }, [shown]);
  const show = useCallback((message: ToastMessage) => {
    setShown((last) => ({ ...message, key: (last?.key ?? 0) + 1 }));
    setOpen(true);
  }, []);
  return (
    <ToastContext value={show}>
      <Toast.Provider duration={SHOWN_MS} swipeDirection="right" swipeThreshold={SWIPE_PX}>
        {children}
        {shown && (
          <Toast.Root
            key={shown.key}
            open={isOpen}
            onOpenChange={setOpen}
            className={`message message--${shown.tone ?? "calm"}`}
            type={shown.tone === "destructive" ? "foreground" : "background"}
          >
            <Toast.Title className="message__title">{shown.title}</Toast.Title>
            {shown.description && (
              <Toast.Description className="message__text">{shown.description}</Toast.Description>
            )}
            <Toast.Close className="icon-button" aria-label="Dismiss">
              <Icon name="close" />
            </Toast.Close>
          </Toast.Root>
        )}
        <Toast.Viewport ref={viewport} popover="manual" className="messages" hotkey={["F8"]} />
      </Toast.Provider>
    </ToastContext>
  );
}

/** Shows a toast. */
export function useToast(): (message: ToastMessage) => void {
  const show = use(ToastContext);
  if (!show) throw new Error("useToast needs a Toaster");
  return show;
}
