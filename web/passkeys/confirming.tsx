/** Asks a user to confirm their identity during an action, then continues the action. */
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

import { codeOf } from "../lib/api.ts";
import { latePart } from "../lib/late-part.ts";

const confirmDialog = latePart(async () => (await import("./confirm-dialog.tsx")).ConfirmDialog);

type Confirming = <T>(work: () => Promise<T>) => Promise<T>;

const ConfirmingContext = createContext<Confirming>((work) => work());

/** Settles when the user has confirmed or closed the dialog. */
type Asked = { settle: (isConfirmed: boolean) => void };

/** Wraps the application. The dialog opens on top of the page, which keeps the user's input. */
export function ConfirmingProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);

  const confirming = useCallback<Confirming>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== "confirm_needed") throw error;
      await confirmDialog.fetch();
      const isConfirmed = await new Promise<boolean>((settle) => setAsked({ settle }));
      if (!isConfirmed) throw error;
      return await work();
    }
  }, []);

  const settle = (isConfirmed: boolean) => {
    asked?.settle(isConfirmed);
    setAsked(null);
  };
  const ConfirmDialog = asked && confirmDialog.component;
  return (
    <ConfirmingContext value={confirming}>
      {children}
      {ConfirmDialog && <ConfirmDialog onDone={() => settle(true)} onClose={() => settle(false)} />}
    </ConfirmingContext>
  );
}

/**
 * Runs work that may need a fresh confirmation. If the server requires one, the dialog opens and the work runs again
 * after it. If the user closes the dialog, the work fails with the server's error.
 */
export function useConfirming(): Confirming {
  return useContext(ConfirmingContext);
}

/** The message after a user closed the confirmation dialog. */
export const NOT_CONFIRMED = {
  title: "Nothing was changed",
  description: "You didn't confirm it's you. What you typed is still there.",
};
