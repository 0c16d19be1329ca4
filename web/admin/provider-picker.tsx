import { useEffect, useId, useState } from "react";

import type { ProviderListItem } from "../../contract/providers.ts";
import { messageOf } from "../lib/api.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { providerName, shownName, useProviders } from "./providers.ts";
import { useDebounced } from "../ui/use-debounced.ts";

/**
 * Shows a searchable list for choosing an active provider. If a later search hides the chosen provider, it clears the
 * choice. So an admin never acts on a provider they cannot see.
 * @param exclude returns whether to leave a provider out
 * @param onChoose receives the chosen provider, or null when the choice is cleared
 */
export function ProviderPicker({
  label,
  chosen,
  exclude,
  onChoose,
}: {
  label: string;
  chosen: ProviderListItem | null;
  exclude?: (provider: ProviderListItem) => boolean;
  onChoose: (provider: ProviderListItem | null) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const { rows, error, isUpdating, hasMore, isLoadingMore, loadMore, retry } = useProviders(
    useDebounced(typed, 200),
  );
  const shown = rows?.filter((provider) => provider.isActive && !exclude?.(provider));
  const isHidden =
    chosen !== null && shown !== undefined && !shown.some((provider) => provider.id === chosen.id);
  useEffect(() => {
    if (isHidden) onChoose(null);
  }, [isHidden, onChoose]);
  return (
    <div className="stack picker">
      <div className="field">
        <label htmlFor={`${id}-search`}>{label}</label>
        <input
          id={`${id}-search`}
          className="input"
          type="search"
          placeholder="Name, company or email"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {error ? (
        <p className="muted text-sm picker__note" role="alert">
          {messageOf(error, "The list didn't load.")}{" "}
          <button type="button" className="link-button" onClick={retry}>
            Try again
          </button>
        </p>
      ) : !shown ? (
        <p className="muted text-sm picker__note">Loading providers...</p>
      ) : (
        <fieldset className="picker__list" aria-busy={isUpdating || undefined}>
          <legend className="visually-hidden">Providers</legend>
          {shown.map((provider) => (
            <span className="picker__row" key={provider.id}>
              <input
                type="radio"
                id={`${id}-${provider.id}`}
                name={id}
                checked={chosen?.id === provider.id}
                onChange={() => onChoose(provider)}
              />
              <label htmlFor={`${id}-${provider.id}`}>
                <span className="line picker__name">
                  <strong>{shownName(provider)}</strong>
                  {provider.isVerified && <Icon name="badge" size={18} />}
                </span>
                <span className="muted text-sm picker__who">
                  {[provider.companyName && providerName(provider), provider.email ?? provider.username]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </label>
            </span>
          ))}
          {shown.length === 0 && <p className="muted text-sm picker__note">No one found.</p>}
          {hasMore && (
            <Button variant="quiet" isBusy={isLoadingMore} onClick={loadMore}>
              Show more
            </Button>
          )}
        </fieldset>
      )}
      <output className="visually-hidden">{shown ? `${shown.length} providers shown` : ""}</output>
    </div>
  );
}
