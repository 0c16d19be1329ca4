import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

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

/** Shows an action's button. @param list the list's name in its query key */
export function ActionButton({ list, action }: { list: string; action: RowAction }) {
  const { label, of, when = true, isMain, queueKey, failed } = action;
  // The pressed action. The list may reload and change the row before the server answers.
  const [asked, setAsked] = useState<RowAction | null>(null);
  const [choice, setChoice] = useState<unknown>(null);
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ pressed, answer }: { pressed: RowAction; answer: Answer<unknown> }) => pressed.act(answer),
    meta: adminMeta(list, failed),
    onSuccess: (result, { pressed: { done }, answer }) => {
      toast(typeof done === "function" ? done(answer, result) : toMessage(done));
      setAsked(null);
    },
  });
  if (!when) return null;
  const start = () => {
    setChoice(null);
    if (action.confirm || action.dialog) setAsked(action);
    else mutate({ pressed: action, answer: { reason: "", choice: null } });
  };
  const state = { isBusy: isPending, onClose: () => setAsked(null) };
  const { confirm, dialog } = asked ?? {};
  const act = (answer: Answer<unknown>) => asked && mutate({ pressed: asked, answer });
  return (
    <>
      <Button
        variant={isMain ? undefined : "quiet"}
        isBusy={isPending && !asked}
        data-queue-key={queueKey}
        onClick={start}
      >
        {label}
        {of && <span className="visually-hidden"> {of}</span>}
      </Button>
      {confirm && (
        <ConfirmActionDialog
          {...state}
          {...confirm}
          actionLabel={confirm.label}
          canAct={!confirm.choose || choice !== null}
          onConfirm={(reason) => act({ reason, choice })}
        >
          {confirm.text}
          {confirm.choose?.(choice, setChoice)}
        </ConfirmActionDialog>
      )}
      {dialog?.({ ...state, onConfirm: (chosen) => act({ reason: "", choice: chosen }) })}
    </>
  );
}
