import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { PersonalInfo } from "../../contract/account.ts";
import { CURRENT_USER_KEY } from "../auth/current-user.ts";
import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";
import { PERSONAL_INFO_KEY } from "./account.ts";

function useResend(email: string) {
  return useMutation({
    mutationFn: () => unwrap(browserApi().api.user["pending-email"].$post()),
    meta: {
      done: {
        title: "Check your email",
        description: `A new link should be at ${email} within five minutes. If it isn't, check your junk folder and try again.`,
      },
      failed: "Not sent",
    },
  });
}

function useCancelEmailChange() {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () => unwrap(browserApi().api.user["pending-email"].$delete()),
    meta: { failed: "Cancel failed", refreshes: [CURRENT_USER_KEY] },
    onSuccess: (info) => {
      client.setQueryData<PersonalInfo>(PERSONAL_INFO_KEY, info);
      toast({
        title: "Cancelled",
        description: info.email ? `Your email is still ${info.email}.` : "Your account still has no email.",
      });
    },
  });
}

/** Shows an unconfirmed email address, with actions that only the user may take. */
export function PendingEmail({ email }: { email: string }) {
  const resend = useResend(email);
  const cancelChange = useCancelEmailChange();
  return (
    <div className="stack gap-2 sunken pending-email">
      <p>
        Waiting for you to confirm <strong>{email}</strong>
      </p>
      <p className="form__note">
        Open the link we emailed there. Nothing after five minutes? Check your junk folder, then send it
        again. Until you confirm, sign in as before. We won't use this address yet.
      </p>
      <NotImpersonating>
        <div className="cluster gap-2 pending-email__acts">
          <Button variant="quiet" isBusy={resend.isPending} onClick={() => resend.mutate()}>
            {resend.isPending ? "Sending…" : "Send the link again"}
          </Button>
          <Button variant="quiet" isBusy={cancelChange.isPending} onClick={() => cancelChange.mutate()}>
            Cancel
          </Button>
        </div>
      </NotImpersonating>
    </div>
  );
}
