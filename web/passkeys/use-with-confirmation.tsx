/** Asks a user to confirm their identity during an action, then continues the action. */
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

import { codeOf } from "../lib/api.ts";
import { createLazyPart, useLazyPart } from "../lib/lazy-part.ts";

const confirmDialog = createLazyPart(async () => (await import("./confirm-dialog.tsx")).ConfirmDialog);

type RunConfirmed = <T>(work: () => Promise<T>) => Promise<T>;

const ConfirmationContext = createContext<RunConfirmed>((work) => work());

/** Called after the user has confirmed or has closed the dialog. */
type Asked = { settle: (isConfirmed: boolean) => void };

/** Wraps the application. The dialog opens over the page, so the page keeps the user's input. */
export function ConfirmationProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);

  const withConfirmation = useCallback<RunConfirmed>(async (work) => {
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
  const { Part: ConfirmDialog } = useLazyPart(confirmDialog, asked !== null);
  return (
    <ConfirmationContext value={withConfirmation}>
      {children}
      {ConfirmDialog && <ConfirmDialog onDone={() => settle(true)} onClose={() => settle(false)} />}
    </ConfirmationContext>
  );
}

/**
 * Returns a function that runs an action which may need a recent confirmation. If the server requires one, the dialog
 * opens, and the action runs again afterwards. If the user closes the dialog, the action fails with the server's error.
 */
export function useWithConfirmation(): RunConfirmed {
  return useContext(ConfirmationContext);
}
