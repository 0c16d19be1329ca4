import { useMutation, useQuery } from "@tanstack/react-query";

import { confirmPasswordSchema } from "../../contract/passkeys.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { describePasskeyError } from "./webauthn.ts";
import { confirmByPasskey } from "./passkeys.ts";

type ConfirmProps = { onDone: () => void; onClose: () => void };

const confirmApi = () => browserApi().api.auth.confirm;

/** Asks for the password or a passkey, depending on the account. */
export function ConfirmDialog({ onDone, onClose }: ConfirmProps) {
  const { data: how, error } = useQuery({
    queryKey: ["confirm"],
    queryFn: () => unwrap(confirmApi().$get()),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog title="Please confirm it's you" onClose={onClose}>
      <p>
        You signed in a while ago, so we&apos;re checking again in case someone else is using your device.
        What you typed is still there.
      </p>
      {error && (
        <Alert>{messageOf(error, "We couldn't confirm it's you. Please check your connection.")}</Alert>
      )}
      {how?.byPasskey && <PasskeyConfirm onDone={onDone} isOnly={!how.byPassword} onClose={onClose} />}
      {how?.byPassword && <PasswordConfirm onDone={onDone} onClose={onClose} isSecond={how.byPasskey} />}
    </Dialog>
  );
}

function PasskeyConfirm({ onDone, onClose, isOnly }: ConfirmProps & { isOnly: boolean }) {
  const proof = useMutation({ mutationFn: confirmByPasskey, onSuccess: onDone });
  const failure =
    proof.error &&
    (describePasskeyError(proof.error) ?? messageOf(proof.error, "Please check your connection."));
  const button = (
    <Button variant="main" isBusy={proof.isPending} onClick={() => proof.mutate()}>
      {proof.isPending ? "Waiting for your passkey…" : "Use your passkey"}
    </Button>
  );
  return (
    <>
      {failure && <Alert>{failure}</Alert>}
      {isOnly ? (
        <DialogFooter onBack={onClose}>{button}</DialogFooter>
      ) : (
        <p className="confirm__first">{button}</p>
      )}
    </>
  );
}

function PasswordConfirm({ onDone, onClose, isSecond }: ConfirmProps & { isSecond: boolean }) {
  const { formProps, isBusy } = useAppForm({
    schema: confirmPasswordSchema,
    send: (json) => unwrap(confirmApi().password.$post({ json })),
    onSuccess: onDone,
    onError: () => {},
  });
  return (
    <Form className="form" {...formProps}>
      <TextField
        name="password"
        label={isSecond ? "Or your password" : "Your password"}
        type="password"
        autoComplete="current-password"
        required
      />
      <DialogFooter onBack={onClose}>
        <Button type="submit" variant={isSecond ? "quiet" : "main"} isBusy={isBusy}>
          {isBusy ? "Checking…" : "Confirm"}
        </Button>
      </DialogFooter>
    </Form>
  );
}
