import type { ProviderPage } from "../../contract/providers.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { type RowAction, RowActions } from "./row-actions.tsx";

/** Shows whether the provider has a public page. Takes it offline, or puts it back. */
export function ProviderPublicPage({ page: { profile, provider } }: { page: ProviderPage }) {
  const isHidden = profile !== null && profile.hiddenReason !== null;
  const toggle: RowAction = {
    label: isHidden ? "Put page back" : "Take page offline",
    act: ({ reason }) =>
      unwrap(
        adminApi().providers[":id"].profile.$put({
          param: { id: provider.id },
          json: isHidden ? { isHidden: false, reason: null } : { isHidden: true, reason },
        }),
      ),
    done: isHidden ? "The page is back" : "The page is offline",
    failed: "The page didn't change",
    confirm: !isHidden && {
      title: "Take this page offline?",
      text: (
        <p>
          No one else can open the page until you put it back. The provider reads your reason on “My page”.
        </p>
      ),
      reason: { label: "Why", required: true },
      label: "Take offline",
    },
  };
  return (
    <section className="part" aria-labelledby="provider-profile">
      <h2 id="provider-profile">Public page</h2>
      {!profile && <p className="muted">None yet.</p>}
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
          <RowActions list="provider" actions={{ toggle }} />
        </>
      )}
    </section>
  );
}
