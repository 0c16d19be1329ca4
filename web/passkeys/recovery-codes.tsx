import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { useWithConfirmation } from "./use-with-confirmation.tsx";
import { PASSKEYS_KEY } from "./passkeys.ts";

/** Shows how many recovery codes are left, with a button to create new ones. */
export function RecoveryCodes({ left, onCodes }: { left: number; onCodes: (codes: string[]) => void }) {
  const withConfirmation = useWithConfirmation();
  const renew = useMutation({
    mutationFn: () => withConfirmation(() => unwrap(browserApi().api.passkeys["recovery-codes"].$post())),
    meta: { failed: "Codes weren't created", refreshes: [PASSKEYS_KEY] },
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  return (
    <section className="settings__part" aria-labelledby="codes-title">
      <h3 id="codes-title">Recovery codes</h3>
      <p className="form__note">
        If you lose your devices, use a code instead of the passkey, after your password. Each works once.{" "}
        <strong>{left === 0 ? "You have none left." : `You have ${left} left.`}</strong>
      </p>
      <div className="form__foot">
        <Button variant="quiet" isBusy={renew.isPending} onClick={() => renew.mutate()}>
          {renew.isPending ? "Creating codes…" : "Create new codes"}
        </Button>
      </div>
    </section>
  );
}

/** Shows new recovery codes. They appear only once. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join("\n"));
      setCopied(true);
    } catch {
      // The browser refuses clipboard access, so select the codes for copying.
      getSelection()?.selectAllChildren(document.querySelector(".codes")!);
    }
  };
  return (
    <Dialog title="Your recovery codes" onClose={onClose}>
      <p>
        You'll need these if you lose your devices. Keep them with your important papers, not on the device
        with your passkey. Each works once, with your password. We won&apos;t show them again, and your old
        codes no longer work.
      </p>
      <ol className="codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <DialogFooter back="I've saved them" onBack={onClose}>
        <Button variant="quiet" onClick={() => print()}>
          Print
        </Button>
        <Button variant="main" onClick={() => void copy()}>
          {isCopied ? "Copied" : "Copy"}
        </Button>
      </DialogFooter>
      <output className="visually-hidden">{isCopied ? "Copied" : ""}</output>
    </Dialog>
  );
}
