import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useState } from "react";
import { useLocation } from "react-router";

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

/** Renders a dialog that calls `onClose` to close itself. */
type RenderDialog = (onClose: () => void) => ReactNode;

const OpenDialogContext = createContext<(render: RenderDialog) => void>(() => {});

/** Returns a function that opens a dialog. The dialog stays if the button that opened it leaves the page. */
export const useOpenDialog = () => useContext(OpenDialogContext);

/**
 * Shows the dialogs that buttons in `children` open. It renders them here, not beside their buttons: a row may leave its
 * list while the admin fills in the dialog.
 */
export function RowDialogs({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<{ render: RenderDialog } | null>(null);
  const [open] = useState(() => (render: RenderDialog) => setOpened({ render }));
  const { pathname } = useLocation();
  const [page, setPage] = useState(pathname);
  if (page !== pathname) {
    setPage(pathname);
    setOpened(null);
  }
  return (
    <OpenDialogContext value={open}>
      {children}
      {/* A late response must not close the next dialog. */}
      {opened?.render(() => setOpened((current) => (current === opened ? null : current)))}
    </OpenDialogContext>
  );
}

type ListAction = { list: string; action: RowAction };

function ActionDialog({
  list,
  action,
  onPending,
  onClose,
}: ListAction & { onPending: (isPending: boolean) => void; onClose: () => void }) {
  const { confirm, dialog } = action;
  const [choice, setChoice] = useState<unknown>(null);
  const { act, isPending: isBusy } = useAction(list, action, { onPending, onDone: onClose });
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
export function ActionButton({ list, action }: ListAction) {
  const { label, of, when = true, isMain, queueKey, confirm, dialog } = action;
  const openDialog = useOpenDialog();
  // Also after the dialog has closed, so that the button does not act twice on one row.
  const [isPending, setPending] = useState(false);
  const { act } = useAction(list, action, { onPending: setPending });
  if (!when) return null;
  return (
    <Button
      variant={isMain ? undefined : "quiet"}
      isBusy={isPending}
      data-queue-key={queueKey}
      onClick={() =>
        confirm || dialog
          ? openDialog((onClose) => <ActionDialog {...{ list, action, onClose }} onPending={setPending} />)
          : act({ reason: "", choice: null })
      }
    >
      {label}
      {of && <span className="visually-hidden"> {of}</span>}
    </Button>
  );
}

/**
 * Returns a function that runs the action, and whether its request is pending.
 * @param on.onPending called when the request starts, and after its lists have reloaded
 * @param on.onDone called after a success
 */
function useAction(
  list: string,
  action: RowAction,
  { onPending, onDone }: { onPending: (isPending: boolean) => void; onDone?: () => void },
) {
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    // The pressed action is an input: the list may reload and change the row's action before the server answers.
    mutationFn: ({ pressed, answer }: { pressed: RowAction; answer: Answer<unknown> }) => pressed.act(answer),
    meta: adminMeta(list, action.failed),
    onMutate: () => onPending(true),
    onSettled: () => onPending(false),
    onSuccess: (result, { pressed: { done }, answer }) => {
      toast(typeof done === "function" ? done(answer, result) : toMessage(done));
      onDone?.();
    },
  });
  return { act: (answer: Answer<unknown>) => mutate({ pressed: action, answer }), isPending };
}
