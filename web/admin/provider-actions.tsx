import { useState } from "react";

import type { ProviderListItem } from "../../contract/providers.ts";
import { useUser } from "../auth/current-user.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { PasswordLinkDialog } from "../team/password-link-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { providerName } from "./providers.ts";
import { ActionButton, type RowAction } from "./row-actions.tsx";

export function ProviderActions({ provider }: { provider: ProviderListItem }) {
  const me = useUser();
  const [isLinkDialogOpen, setLinkDialogOpen] = useState(false);
  const { id, isActive } = provider;
  const name = providerName(provider);
  const toggle: RowAction = {
    label: isActive ? "Deactivate" : "Activate",
    of: name,
    when: id !== me.id,
    act: ({ reason }) =>
      unwrap(
        adminApi().providers[":id"].$patch({
          param: { id },
          json: isActive ? { isActive: false, reason } : { isActive: true },
        }),
      ),
    done: { title: isActive ? "Provider deactivated" : "Provider activated", description: name },
    failed: "Failed to update provider",
    confirm: isActive && {
      title: `Deactivate ${name}?`,
      text: (
        <p>
          {name} and their team will be signed out everywhere straight away. They can't sign in again until
          you activate the account. Leads they're buying right now will go back on the market. They keep the
          leads they've paid for. We'll save the reason in your notes, which they can't see.
        </p>
      ),
      reason: { label: "Why", required: true },
      label: "Deactivate",
    },
  };
  return (
    <div className="cluster list__acts">
      <ActionButton list="providers" action={toggle} />
      {isActive && (
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
          issue={() => unwrap(adminApi().providers[":id"]["password-link"].$post({ param: { id } }))}
          onClose={() => setLinkDialogOpen(false)}
        />
      )}
    </div>
  );
}
