import { useMutation } from "@tanstack/react-query";

import { PASSKEY_NAME_MAX, type PasskeyInfo, passkeyNameSchema } from "../../contract/passkeys.ts";
import { codeOf, messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { NOT_CONFIRMED } from "../lib/query-client.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { useWithConfirmation } from "./use-with-confirmation.tsx";
import { PASSKEYS_KEY } from "./passkeys.ts";

type Props = { passkey: PasskeyInfo; onClose: () => void };

const one = () => browserApi().api.passkeys[":id"];

/** Renames a passkey. */
export function RenamePasskey({ passkey, onClose }: Props) {
  const { formProps, isBusy } = useAppForm({
    schema: passkeyNameSchema,
    send: (json) => unwrap(one().$patch({ param: { id: passkey.id }, json })),
    meta: { failed: "Passkey wasn't renamed", refreshes: [PASSKEYS_KEY] },
    onSuccess: onClose,
  });
  return (
    <Dialog title="Rename this passkey" onClose={onClose}>
      <Form className="form" {...formProps}>
        <TextField
          name="name"
          label="Name"
          required
          maxLength={PASSKEY_NAME_MAX}
          defaultValue={passkey.name}
          hint="Name the device or password manager it's saved in"
        />
        <DialogFooter onBack={onClose}>
          <Button type="submit" variant="main" isBusy={isBusy}>
            {isBusy ? "Saving…" : "Save name"}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}

/** Explains what removing a passkey means, then removes it. */
export function RemovePasskey({ passkey, isLast, onClose }: Props & { isLast: boolean }) {
  const withConfirmation = useWithConfirmation();
  const remove = useMutation({
    mutationFn: () => withConfirmation(() => unwrap(one().$delete({ param: { id: passkey.id } }))),
    meta: { done: "Passkey removed", refreshes: [PASSKEYS_KEY] },
    onSuccess: onClose,
  });
  const failure =
    remove.error &&
    (codeOf(remove.error) === "confirm_needed"
      ? NOT_CONFIRMED.description
      : messageOf(remove.error, "Please check your connection and try again."));
  return (
    <Dialog title={`Remove ${passkey.name}?`} onClose={onClose}>
      <p>
        You won't be able to sign in with it any more.{" "}
        {isLast
          ? "It's your last one: you'll sign in with just your password, and your recovery codes will stop working."
          : "Your other passkeys will still work."}{" "}
        Your device will still list it until you delete it there.
      </p>
      {failure && <Alert>{failure}</Alert>}
      <DialogFooter onBack={onClose}>
        <Button variant="main" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {remove.isPending ? "Removing…" : "Remove passkey"}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
