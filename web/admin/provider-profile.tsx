import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import type { ProviderPage } from "../../contract/providers.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { adminKeys } from "./overview.ts";

/** Shows whether the provider has a public page. Takes it offline, or puts it back. */
export function ProviderPublicPage({ page: { profile, provider } }: { page: ProviderPage }) {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (json: { isHidden: boolean; reason: string | null }) =>
      unwrap(
        browserApi().api["super-admin"].providers[":id"].profile.$put({ param: { id: provider.id }, json }),
      ),
    meta: {
      failed: { title: "The page didn't change", description: "Please try again." },
      refreshes: adminKeys("provider"),
    },
    onSuccess: (_, { isHidden }) => {
      toast({ title: isHidden ? "The page is offline" : "The page is back" });
      setAsking(false);
    },
  });
  const isHidden = profile !== null && profile.hiddenReason !== null;
  return (
    <section className="provider-page__part" aria-labelledby="provider-profile">
      <h2 id="provider-profile">Public page</h2>
      {!profile && <p className="provider-page__calm">None yet.</p>}
      {profile && (
        <>
          <p>
            {isHidden ? (
              <>An admin took it offline: {profile.hiddenReason}</>
            ) : profile.isPublic && !profile.isEstablished ? (
              "Not public yet: the provider isn't verified, has no valid ABN check and hasn't paid for a lead."
            ) : profile.isPublic ? (
              <a href={`/provider/${profile.slug}`}>/provider/{profile.slug}</a>
            ) : (
              "The provider hasn't published it."
            )}
          </p>
          <div className="list__acts">
            <Button
              variant="quiet"
              isBusy={isPending}
              onClick={() => (isHidden ? mutate({ isHidden: false, reason: null }) : setAsking(true))}
            >
              {isHidden ? "Put page back" : "Take page offline"}
            </Button>
          </div>
        </>
      )}
      {isAsking && (
        <ConfirmActionDialog
          title="Take this page offline?"
          reason={{ label: "Why", required: true }}
          actionLabel="Take offline"
          isBusy={isPending}
          onConfirm={(reason) => mutate({ isHidden: true, reason })}
          onClose={() => setAsking(false)}
        >
          <p>
            No one else can open the page until you put it back. The provider reads your reason on “My page”.
          </p>
        </ConfirmActionDialog>
      )}
    </section>
  );
}
