/** Asks a person once more who they are, in the middle of what they do, which then goes on. */
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

import { codeOf } from "../lib/api.ts";
import { latePart } from "../lib/late-part.ts";

const confirmDialog = latePart(async () => (await import("./confirm-dialog.tsx")).ConfirmDialog);

type Confirming = <T>(work: () => Promise<T>) => Promise<T>;

const ConfirmingContext = createContext<Confirming>((work) => work());

/** Settles once the person has confirmed, or has not. */
type Asked = { settle: (isConfirmed: boolean) => void };

/** Stands around the application: the dialog opens over whatever is there, which keeps what was typed. */
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
 * Runs work that may need a fresh confirmation: where the server asks for one, the person is asked, and the
 * work is done again. It fails as it did when they close the dialog.
 */
export function useConfirming(): Confirming {
  return useContext(ConfirmingContext);
}

/** What to say when somebody was asked who they are and closed the dialog. */
export const NOT_CONFIRMED = {
  title: "Nothing was changed",
  description: "You didn't confirm it's you. What you typed is still there.",
};
