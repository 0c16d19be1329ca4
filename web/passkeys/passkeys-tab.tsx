import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import type { PasskeyInfo, PasskeyState } from "../../contract/passkeys.ts";
import { CURRENT_USER_KEY, useUser } from "../auth/current-user.ts";
import { codeOf, messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDate } from "../lib/format-time.ts";
import { NOT_CONFIRMED } from "../lib/query-client.ts";
import { Alert } from "../ui/alert.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";
import { describePasskeyError, createPasskey } from "./webauthn.ts";
import { useWithConfirmation } from "./use-with-confirmation.tsx";
import { RemovePasskey, RenamePasskey } from "./passkey-dialogs.tsx";
import { confirmByPasskey, PASSKEYS_KEY, usePasskeys } from "./passkeys.ts";
import { CodesDialog, RecoveryCodes } from "./recovery-codes.tsx";

/** Adds a passkey to the account. @param onCodes receives the recovery codes, created with the first passkey */
function useAddPasskey(onCodes: (codes: string[]) => void) {
  const toast = useToast();
  const withConfirmation = useWithConfirmation();
  return useMutation({
    mutationFn: async () => {
      const { passkeys } = browserApi().api;
      const options = await withConfirmation(() => unwrap(passkeys.options.$post()));
      const credential = await createPasskey(options);
      return withConfirmation(() => unwrap(passkeys.$post({ json: { credential } })));
    },
    // A super admin may need a passkey for their rights.
    meta: { refreshes: [PASSKEYS_KEY, CURRENT_USER_KEY] },
    onSuccess: ({ recoveryCodes }) => {
      // The codes have their own dialog, so show no toast.
      if (recoveryCodes) onCodes(recoveryCodes);
      else toast({ title: "Passkey added" });
    },
    onError: (error) => {
      if (codeOf(error) === "confirm_needed") return toast(NOT_CONFIRMED);
      const words =
        describePasskeyError(error) ?? messageOf(error, "Please check your connection and try again.");
      toast({ title: "Passkey wasn't added", description: words, tone: "destructive" });
    },
  });
}

/** Shows the user's passkeys and recovery codes. */
export function PasskeysTab({ initial }: { initial?: PasskeyState }) {
  const { isImpersonating, needsPasskey } = useUser();
  if (isImpersonating) {
    return (
      <p className="form__note">Only the account's owner can manage passkeys. Stop impersonating first.</p>
    );
  }
  return <OwnPasskeys needsOne={needsPasskey} initial={initial} />;
}

function OwnPasskeys({ needsOne, initial }: { needsOne: boolean; initial: PasskeyState | undefined }) {
  const { data: state, isError } = usePasskeys(initial);
  const [codes, setCodes] = useState<string[] | null>(null);
  const add = useAddPasskey(setCodes);
  if (isError && !state) return <Alert>Your passkeys didn't load. Please check your connection.</Alert>;
  if (!state) return <p className="form__note">Loading your passkeys…</p>;
  const { passkeys, recoveryCodesLeft, isDemanded } = state;
  return (
    <>
      <p className="form__note">
        {needsOne && passkeys.length === 0 && (
          <>
            <strong>Super admins sign in with a passkey.</strong> Add one, and your admin pages open.{" "}
          </>
        )}
        A passkey is your phone, computer or security key. It can&apos;t be guessed, and fake sites can&apos;t
        trick you into giving it away. With one, you can sign in with your password and passkey, or just the
        passkey.
      </p>
      {needsOne && passkeys.length > 0 && <ActivateAdminRights />}
      {passkeys.length > 0 && <PasskeyList passkeys={passkeys} mustKeepOne={isDemanded} />}
      <div className="form__foot">
        <Button variant="main" isBusy={add.isPending} onClick={() => add.mutate()}>
          {add.isPending
            ? "Waiting for your device…"
            : passkeys.length > 0
              ? "Add another passkey"
              : "Add a passkey"}
        </Button>
      </div>
      {passkeys.length > 0 && <RecoveryCodes left={recoveryCodesLeft} onCodes={setCodes} />}
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </>
  );
}

/** Opens the admin pages for a super admin whose session is older than their passkey. */
function ActivateAdminRights() {
  const open = useMutation({ mutationFn: confirmByPasskey, meta: { refreshes: [CURRENT_USER_KEY] } });
  return (
    <>
      <p>
        <strong>Your admin pages need your passkey</strong>, because you signed in without it.
      </p>
      {open.error && (
        <Alert>
          {describePasskeyError(open.error) ??
            messageOf(open.error, "Please check your connection and try again.")}
        </Alert>
      )}
      <div className="form__foot">
        <Button variant="quiet" isBusy={open.isPending} onClick={() => open.mutate()}>
          {open.isPending ? "Waiting for your passkey…" : "Use your passkey"}
        </Button>
      </div>
    </>
  );
}

type PasskeyAction = { kind: "rename" | "remove"; passkey: PasskeyInfo };

function PasskeyList({ passkeys, mustKeepOne }: { passkeys: PasskeyInfo[]; mustKeepOne: boolean }) {
  const [act, setAct] = useState<PasskeyAction | null>(null);
  const close = () => setAct(null);
  const isLast = passkeys.length === 1;
  return (
    <>
      <ul aria-label="Your passkeys">
        {passkeys.map((passkey) => (
          <li key={passkey.id} className="line session passkey">
            <div>
              <p>
                <strong>{passkey.name}</strong> {passkey.isSynced && <Badge>Synced</Badge>}
              </p>
              <p className="muted text-sm">
                Added {formatDate(passkey.createdAt)},{" "}
                {passkey.lastUsedAt === null ? "not used yet" : `last used ${formatDate(passkey.lastUsedAt)}`}
              </p>
            </div>
            <div className="passkey__acts">
              <Button
                variant="quiet"
                aria-label={`Rename ${passkey.name}`}
                onClick={() => setAct({ kind: "rename", passkey })}
              >
                Rename
              </Button>
              {!(isLast && mustKeepOne) && (
                <Button
                  variant="quiet"
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => setAct({ kind: "remove", passkey })}
                >
                  Remove
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {act?.kind === "rename" && <RenamePasskey passkey={act.passkey} onClose={close} />}
      {act?.kind === "remove" && <RemovePasskey passkey={act.passkey} isLast={isLast} onClose={close} />}
    </>
  );
}
