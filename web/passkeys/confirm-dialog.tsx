import { useMutation, useQuery } from "@tanstack/react-query";

import { confirmPasswordSchema } from "../../contract/passkeys.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { ceremonyProblem } from "./ceremony.ts";
import { confirmByPasskey } from "./passkeys.ts";

type Ways = { onDone: () => void; onClose: () => void };

const confirmApi = () => browserApi().api.auth.confirm;

/** Asks for the password or a passkey, depending on the account. */
export function ConfirmDialog({ onDone, onClose }: Ways) {
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
        We&apos;ve kept what you typed.
      </p>
      {error && <Alert>{messageOf(error, "We couldn't check. Please check your connection.")}</Alert>}
      {how?.byPasskey && <ByPasskey onDone={onDone} isOnly={!how.byPassword} onClose={onClose} />}
      {how?.byPassword && <ByPassword onDone={onDone} onClose={onClose} isSecond={how.byPasskey} />}
    </Dialog>
  );
}

function ByPasskey({ onDone, onClose, isOnly }: Ways & { isOnly: boolean }) {
  const proof = useMutation({ mutationFn: confirmByPasskey, onSuccess: onDone });
  const failure =
    proof.error && (ceremonyProblem(proof.error) ?? messageOf(proof.error, "Please check your connection."));
  const button = (
    <Button look="main" isBusy={proof.isPending} onClick={() => proof.mutate()}>
      {proof.isPending ? "Waiting for your passkey…" : "Use your passkey"}
    </Button>
  );
  return (
    <>
      {failure && <Alert>{failure}</Alert>}
      {isOnly ? (
        <DialogFoot onBack={onClose}>{button}</DialogFoot>
      ) : (
        <p className="confirm__first">{button}</p>
      )}
    </>
  );
}

function ByPassword({ onDone, onClose, isSecond }: Ways & { isSecond: boolean }) {
  const { formProps, errors, isBusy } = useAppForm({
    schema: confirmPasswordSchema,
    send: (json) => unwrap(confirmApi().password.$post({ json })),
    onSuccess: onDone,
    onError: () => {},
  });
  return (
    <form className="form" {...formProps}>
      <TextField
        name="password"
        label={isSecond ? "Or your password" : "Your password"}
        type="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      <DialogFoot onBack={onClose}>
        <Button type="submit" look={isSecond ? "quiet" : "main"} isBusy={isBusy}>
          {isBusy ? "Checking…" : "Confirm"}
        </Button>
      </DialogFoot>
    </form>
  );
}
