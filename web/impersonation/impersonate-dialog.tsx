import { useState } from "react";

import type { ProviderListItem } from "../../contract/providers.ts";
import { ProviderPicker } from "../admin/provider-picker.tsx";
import { providerName } from "../admin/providers.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { useStartImpersonation } from "./use-impersonation.ts";

/** Lets a super admin choose a provider to impersonate. */
export function ImpersonateDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<ProviderListItem | null>(null);
  const start = useStartImpersonation();
  return (
    <Dialog title="Impersonate a provider" onClose={onClose}>
      <p>
        You'll only see and do what they can. The audit log names you both. You can't buy leads or change
        passwords or bank details for them.
      </p>
      <ProviderPicker
        label="Whose account?"
        chosen={chosen}
        // No admin may impersonate a super admin.
        exclude={(provider) => provider.isSuperAdmin}
        onChoose={setChosen}
      />
      <DialogFooter onBack={onClose}>
        <Button
          variant="main"
          disabled={!chosen}
          isBusy={start.isPending || start.isSuccess}
          onClick={() => chosen && start.mutate(chosen.id)}
        >
          {chosen ? `Impersonate ${providerName(chosen)}` : "Impersonate"}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
