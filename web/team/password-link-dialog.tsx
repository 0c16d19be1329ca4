import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import type { PasswordLink } from "../../contract/team.ts";
import { messageOf } from "../lib/api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";

/**
 * Creates a one-time link for setting a new password, and shows it once.
 * @param name the recipient's name
 * @param issue requests the link from the server
 */
export function PasswordLinkDialog({
  name,
  issue,
  onClose,
}: {
  name: string;
  issue: () => Promise<PasswordLink>;
  onClose: () => void;
}) {
  const link = useMutation({ mutationFn: issue });
  return (
    <Dialog title={`Password link for ${name}`} onClose={onClose}>
      {link.data ? (
        <IssuedLink name={name} link={link.data} onClose={onClose} />
      ) : (
        <>
          <p>
            Anyone who opens the link can choose a new password for {name}&apos;s account. It works once,
            within 24 hours. Until it's used, the old password still works.
          </p>
          {link.error && (
            <Alert>
              {messageOf(link.error, "We couldn't create the link. Please check your connection.")}
            </Alert>
          )}
          <DialogFooter onBack={onClose}>
            <Button variant="main" isBusy={link.isPending} onClick={() => link.mutate()}>
              {link.isPending ? "Creating link…" : "Create link"}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}

function IssuedLink({ name, link, onClose }: { name: string; link: PasswordLink; onClose: () => void }) {
  const address = `${location.origin}${link.path}`;
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      // The browser refuses clipboard access, so select the field for copying.
      document.querySelector<HTMLInputElement>("#passwordLink")?.select();
    }
  };
  return (
    <>
      <p>
        Send it to {name} in a way you trust. It works until {formatDateTime(link.expiresAt)}, and we show it
        only this once.
      </p>
      <TextField
        name="passwordLink"
        label="Link"
        optional={false}
        readOnly
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
      <DialogFooter back="Done" onBack={onClose}>
        <Button variant="main" onClick={() => void copy()}>
          {isCopied ? "Copied" : "Copy link"}
        </Button>
      </DialogFooter>
      <output className="visually-hidden">{isCopied ? "Copied" : ""}</output>
    </>
  );
}
