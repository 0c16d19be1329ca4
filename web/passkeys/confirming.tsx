/** Asks a user to confirm their identity during an action, then continues the action. */
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

import { codeOf } from "../lib/api.ts";
import { latePart } from "../lib/late-part.ts";

const confirmDialog = latePart(async () => (await import("./confirm-dialog.tsx")).ConfirmDialog);

type Confirming = <T>(work: () => Promise<T>) => Promise<T>;

const ConfirmingContext = createContext<Confirming>((work) => work());

/** Called after the user has confirmed or has closed the dialog. */
type Asked = { settle: (isConfirmed: boolean) => void };

/** Wraps the application. The dialog opens over the page, so the page keeps the user's input. */
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
 * Returns a function that runs an action which may need a recent confirmation. If the server requires one, the dialog
 * opens, and the action runs again afterwards. If the user closes the dialog, the action fails with the server's error.
 */
export function useConfirming(): Confirming {
  return useContext(ConfirmingContext);
}

/** The message after the user closes the confirmation dialog. */
export const NOT_CONFIRMED = {
  title: "Nothing was changed",
  description: "You didn't confirm it's you. What you typed is still there.",
};
