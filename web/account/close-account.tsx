import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";

import { confirmPasswordSchema } from "../../contract/passkeys.ts";
import { changeSession } from "../auth/current-user.ts";
import { codeOf, messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { leaveSession } from "../purchases/leave-session.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";

/** Lets an owner close the account. Says first what we delete, what stays and why, and what to download. */
export function CloseAccount() {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <p>
        We&apos;ll delete your account, your team&apos;s accounts and your page. Your photos, checks, bank
        details, saved cards and the leads you added go too. You&apos;ll lose the leads you bought and any
        free claims.
      </p>
      <p>
        Records of your purchases and payments stay for at least seven years, as the law requires. They hold
        amounts and dates, but no name. Requests and reviews belong to your customers, so they stay too.
      </p>
      <p>
        Before you go,{" "}
        <a href="/api/pipeline/export.csv" download>
          download your leads
        </a>{" "}
        and save <Link to="/receipts">your receipts</Link>.
      </p>
      <div className="form__foot">
        <Button variant="quiet" onClick={() => setIsAsked(true)}>
          Close your account
        </Button>
      </div>
      {isAsked && <CloseAccountDialog onClose={() => setIsAsked(false)} />}
    </>
  );
}

function CloseAccountDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const { formProps, isBusy } = useAppForm({
    schema: confirmPasswordSchema,
    send: async (json) => {
      setProblem(null);
      await changeSession(() => unwrap(browserApi().api.user.closure.$post({ json })));
      await leaveSession(client, "/login?closed");
    },
    onSuccess: () => {},
    onError: (error) => setProblem(codeOf(error) === "invalid_input" ? null : describe(error)),
  });
  return (
    <Dialog title="Close your account?" onClose={onClose}>
      <Form className="form" {...formProps}>
        <p>You can&apos;t undo this. To close your account for good, enter your password.</p>
        {problem && <Alert>{problem}</Alert>}
        <TextField
          name="password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
        />
        <DialogFooter back="Keep account" onBack={onClose}>
          <Button type="submit" className="button--danger" isBusy={isBusy}>
            {isBusy ? "Closing…" : "Close account"}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}

function describe(error: Error): string {
  if (codeOf(error) === "passkey_needed")
    return "Your account has a passkey. Sign out, sign back in with the passkey, then close your account.";
  return messageOf(error, "We couldn't close your account. Please check your connection and try again.");
}
