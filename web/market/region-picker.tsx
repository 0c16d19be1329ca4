import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";

import { type CurrentUser, watchedRegionsSchema } from "../../contract/auth.ts";
import { MAX_LIVE_REGIONS, type Region, regionName, REGIONS } from "../../contract/regions.ts";
import { CURRENT_USER_KEY } from "../auth/current-user.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { KEPT } from "../lib/query-client.ts";
import { checkForm } from "../lib/check-form.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { refreshRegions } from "./market-store.ts";

export const SUGGESTED_REGIONS_KEY = ["suggested-regions"] as const;
const NONE: readonly Region[] = [];

/** What the server suggests. */
export interface SuggestedRegions {
  regions: Region[];
}

/** Returns regions suggested by the provider's service areas; empty until the server responds. */
function useSuggestedRegions(initialData: SuggestedRegions | undefined): readonly Region[] {
  const { data } = useQuery({
    queryKey: SUGGESTED_REGIONS_KEY,
    queryFn: () => unwrap(browserApi().api.user["suggested-regions"].$get()),
    initialData,
    ...KEPT,
  });
  return data?.regions ?? NONE;
}

export function RegionPicker({
  watched,
  suggested: initial,
  submitLabel,
  onSaved,
}: {
  watched: readonly string[];
  /** Loaded by the picker if the page has not. */
  suggested?: SuggestedRegions | undefined;
  submitLabel: string;
  onSaved?: () => void;
}) {
  const client = useQueryClient();
  const prefix = useId();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(watched));
  const [problem, setProblem] = useState("");
  const save = useMutation({
    mutationFn: (regions: Region[]) =>
      unwrap(browserApi().api.user["watched-regions"].$put({ json: { regions } })),
    onSuccess: ({ regions }) => {
      client.setQueryData<CurrentUser | null>(
        CURRENT_USER_KEY,
        (me) => me && { ...me, watchedRegions: regions },
      );
      const added = regions.filter((slug) => !watched.includes(slug));
      // Regions without a socket need this request. The sockets of the others fetch their leads a moment later.
      void refreshRegions(client, added).catch(() => {});
      onSaved?.();
    },
    onError: (error) => setProblem(messageOf(error, "Your regions weren't saved. Please try again.")),
  });
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    // Keep the list's order, so that the live regions do not depend on the order of clicks.
    const regions = REGIONS.map(({ slug }) => slug).filter((slug) => chosen.has(slug));
    const { values, errors } = checkForm(watchedRegionsSchema, { regions });
    setProblem(Object.values(errors ?? {})[0] ?? "");
    if (values) save.mutate(values.regions);
  };
  const suggested = useSuggestedRegions(initial).filter((slug) => !chosen.has(slug));
  const toggle = (slug: string) => {
    setProblem("");
    const next = new Set(chosen);
    if (!next.delete(slug)) next.add(slug);
    setChosen(next);
  };
  return (
    <form className="stack gap-4" onSubmit={submit}>
      <fieldset className="field">
        <legend className="visually-hidden">Regions</legend>
        <div className="choices regions__list">
          {REGIONS.map(({ slug, name }) => (
            <span className="choice" key={slug}>
              <input
                type="checkbox"
                id={`${prefix}-${slug}`}
                checked={chosen.has(slug)}
                onChange={() => toggle(slug)}
              />
              <label htmlFor={`${prefix}-${slug}`}>
                <span className="choice__tick">
                  <Icon name="check" size={18} />
                </span>
                {name}
              </label>
            </span>
          ))}
        </div>
      </fieldset>
      {suggested.length > 0 && (
        <p className="muted text-sm">
          From your service areas:{" "}
          {suggested.map((slug) => (
            <button key={slug} type="button" className="link-button" onClick={() => toggle(slug)}>
              Add {regionName(slug)}
            </button>
          ))}
        </p>
      )}
      {chosen.size > MAX_LIVE_REGIONS && (
        <p className="muted text-sm">
          {MAX_LIVE_REGIONS} regions update live. The others update every 30 seconds.
        </p>
      )}
      <div className="spread regions__foot">
        {/* Beside the button, because the bar covers what is below the list. */}
        {problem && <Alert>{problem}</Alert>}
        <span className="muted text-sm">{chosen.size === 1 ? "1 region" : `${chosen.size} regions`}</span>
        <Button type="submit" variant="main" isBusy={save.isPending}>
          {save.isPending ? "Saving…" : submitLabel}
        </Button>
      </div>
    </form>
  );
}
