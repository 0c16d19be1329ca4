import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import type { ProviderChange, ProviderListItem } from "../../contract/providers.ts";
import { useCurrentUser } from "../auth/current-user.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { PasswordLinkDialog } from "../team/password-link-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { adminKeys } from "./overview.ts";
import { useToast } from "../ui/toaster.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { providerName, PROVIDERS_KEY } from "./providers.ts";

function useProviderChange(provider: ProviderListItem) {
  const toast = useToast();
  return useMutation({
    mutationFn: (change: ProviderChange) =>
      unwrap(
        browserApi().api["super-admin"].providers[":id"].$patch({ param: { id: provider.id }, json: change }),
      ),
    meta: {
      failed: { title: "Failed to update provider", description: "Please try again." },
      refreshes: [PROVIDERS_KEY, ...adminKeys("provider")],
    },
    onSuccess: (_, change) =>
      toast({
        title: change.isActive ? "Provider activated" : "Provider deactivated",
        description: providerName(provider),
      }),
  });
}

export function ProviderActions({ provider }: { provider: ProviderListItem }) {
  const me = useCurrentUser(null);
  const [isAsking, setAsking] = useState(false);
  const [isLinkDialogOpen, setLinkDialogOpen] = useState(false);
  const { mutate, isPending } = useProviderChange(provider);
  const name = providerName(provider);
  return (
    <div className="list__acts">
      {provider.id !== me?.id && (
        <Button
          variant="quiet"
          isBusy={isPending}
          onClick={() => (provider.isActive ? setAsking(true) : mutate({ isActive: true }))}
          aria-label={`${provider.isActive ? "Deactivate" : "Activate"} ${name}`}
        >
          {provider.isActive ? "Deactivate" : "Activate"}
        </Button>
      )}
      {provider.isActive && (
        <Button
          variant="quiet"
          onClick={() => setLinkDialogOpen(true)}
          aria-label={`Password link for ${name}`}
        >
          Password link
        </Button>
      )}
      {isLinkDialogOpen && (
        <PasswordLinkDialog
          name={name}
          issue={() =>
            unwrap(
              browserApi().api["super-admin"].providers[":id"]["password-link"].$post({
                param: { id: provider.id },
              }),
            )
          }
          onClose={() => setLinkDialogOpen(false)}
        />
      )}
      {isAsking && (
        <ConfirmActionDialog
          title={`Deactivate ${name}?`}
          reason={{ label: "Why", required: true }}
          actionLabel="Deactivate"
          isBusy={isPending}
          onConfirm={(reason) => {
            mutate({ isActive: false, reason });
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            {name} and their team will be signed out everywhere straight away. They can't sign in again until
            you activate the account. Leads they're buying right now will go back on the market. They keep the
            leads they've paid for. We'll save the reason in your notes, which they can't see.
          </p>
        </ConfirmActionDialog>
      )}
    </div>
  );
}
