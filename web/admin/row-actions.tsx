import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useState } from "react";

import { toMessage, type ToastText } from "../lib/query-client.ts";
import { Button } from "../ui/button.tsx";
import { type ToastMessage, useToast } from "../ui/toaster.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { adminMeta } from "./overview.tsx";

/** What the admin entered in an action's dialog. The reason is empty if the dialog does not ask for one. */
type Answer<Choice> = { reason: string; choice: Choice };

type ActionOf<Choice, Result> = {
  label: string;
  /** The rest of the label for screen readers, such as "the request of Anna". */
  of?: ReactNode;
  /** Whether to show the button; true when omitted. */
  when?: boolean;
  isMain?: boolean;
  /** The key that presses the button in a list that works as a queue (lead-queue.tsx). */
  queueKey?: "r" | "d";
  act: (answer: Answer<Choice>) => Promise<Result>;
  done: ToastText | ((answer: Answer<Choice>, result: Result) => ToastMessage);
  /** The title of the toast after a failure. */
  failed: string;
  /** Asks first. */
  confirm?:
    | false
    | {
        title: string;
        text: ReactNode;
        /** The label of the button that acts. */
        label: string;
        reason?: { label: string; required: boolean };
        isIrreversible?: boolean;
        /** Shows a field for a choice that the action needs. */
        choose?: (choice: Choice | null, onChoose: (choice: Choice | null) => void) => ReactNode;
      };
  /** Asks first, with a dialog of its own. */
  dialog?: (state: {
    isBusy: boolean;
    onConfirm: (choice: Choice) => void;
    onClose: () => void;
  }) => ReactNode;
};

/** A button in a row of a list, and what it does. */
export type RowAction = ActionOf<unknown, unknown>;

/** A row's actions by name. A name keeps its button, and so the focus, when the label changes. */
export type RowActionMap = Readonly<Record<string, RowAction>>;

/** Types an action with a choice, or with a toast that depends on the result. */
export function rowAction<Choice = null, Result = unknown>(action: ActionOf<Choice, Result>): RowAction {
  return action as RowAction;
}

/** Shows the buttons of a row. */
export function RowActions({ list, actions }: { list: string; actions: RowActionMap }) {
  return (
    <div className="cluster list__acts">
      {Object.entries(actions).map(([name, action]) => (
        <ActionButton key={name} list={list} action={action} />
      ))}
    </div>
  );
}

type Asked = { list: string; action: RowAction };

const AskContext = createContext<(asked: Asked) => void>(() => {});

/**
 * Shows the dialogs of the actions in `children`. A dialog lives here, not beside its button: the row may leave its list
 * while the admin fills in the dialog.
 */
export function ActionDialogs({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <AskContext value={setAsked}>
      {children}
      {asked && (
        <ActionDialog
          {...asked}
          // A late answer must not close the dialog of another action.
          onClose={() => setAsked((current) => (current === asked ? null : current))}
        />
      )}
    </AskContext>
  );
}

function ActionDialog({ list, action, onClose }: Asked & { onClose: () => void }) {
  const { confirm, dialog } = action;
  const [choice, setChoice] = useState<unknown>(null);
  const { act, isPending: isBusy } = useAction(list, action, onClose);
  if (dialog) return dialog({ isBusy, onClose, onConfirm: (chosen) => act({ reason: "", choice: chosen }) });
  if (!confirm) return null;
  return (
    <ConfirmActionDialog
      {...confirm}
      isBusy={isBusy}
      actionLabel={confirm.label}
      canAct={!confirm.choose || choice !== null}
      onConfirm={(reason) => act({ reason, choice })}
      onClose={onClose}
    >
      {confirm.text}
      {confirm.choose?.(choice, setChoice)}
    </ConfirmActionDialog>
  );
}

/** Shows an action's button. @param list the list's name in its query key */
export function ActionButton({ list, action }: Asked) {
  const { label, of, when = true, isMain, queueKey, confirm, dialog } = action;
  const ask = useContext(AskContext);
  const { act, isPending } = useAction(list, action);
  if (!when) return null;
  return (
    <Button
      variant={isMain ? undefined : "quiet"}
      isBusy={isPending}
      data-queue-key={queueKey}
      onClick={() => (confirm || dialog ? ask({ list, action }) : act({ reason: "", choice: null }))}
    >
      {label}
      {of && <span className="visually-hidden"> {of}</span>}
    </Button>
  );
}

/**
 * Returns a function that acts, and whether it is waiting for the answer.
 * @param onDone runs after a success
 */
function useAction(list: string, action: RowAction, onDone?: () => void) {
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    // The pressed action is an input: the list may reload and change the row's action before the server answers.
    mutationFn: ({ pressed, answer }: { pressed: RowAction; answer: Answer<unknown> }) => pressed.act(answer),
    meta: adminMeta(list, action.failed),
    onSuccess: (result, { pressed: { done }, answer }) => {
      toast(typeof done === "function" ? done(answer, result) : toMessage(done));
      onDone?.();
    },
  });
  return { act: (answer: Answer<unknown>) => mutate({ pressed: action, answer }), isPending };
}
