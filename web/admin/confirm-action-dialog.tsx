import { type FormEvent, type ReactNode, useId, useState } from "react";

import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { RequiredMark } from "../ui/field.tsx";

/**
 * Asks for confirmation, with a short explanation.
 * @param reason label of the reason field; `required` when the admin must fill it in
 * @param isIrreversible whether the action is permanent, which changes the button's colour
 * @param canAct whether the input in `children` is complete
 */
export function ConfirmActionDialog({
  title,
  children,
  reason,
  actionLabel,
  isIrreversible = false,
  canAct = true,
  isBusy,
  onConfirm,
  onClose,
}: {
  title: string;
  children: ReactNode;
  reason?: { label: string; required: boolean };
  actionLabel: string;
  isIrreversible?: boolean;
  canAct?: boolean;
  isBusy: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}) {
  const id = useId();
  const [error, setError] = useState("");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const text = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    if (reason?.required && text.length < 3) {
      setError("Please say why");
      event.currentTarget.querySelector("textarea")?.focus();
      return;
    }
    onConfirm(text);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack gap-4" onSubmit={submit} noValidate>
        {children}
        {reason && (
          <div className="field">
            <label htmlFor={id}>
              {reason.label}
              {reason.required ? <RequiredMark /> : <span className="field__optional"> (optional)</span>}
            </label>
            <textarea
              id={id}
              name="reason"
              className="input"
              rows={3}
              required={reason.required}
              maxLength={500}
              aria-invalid={error ? true : undefined}
              onChange={() => setError("")}
            />
          </div>
        )}
        {error && <Alert>{error}</Alert>}
        <DialogFooter onBack={onClose}>
          <Button
            type="submit"
            {...(isIrreversible ? { className: "button--danger" } : { variant: "main" })}
            disabled={!canAct}
            isBusy={isBusy}
          >
            {actionLabel}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
