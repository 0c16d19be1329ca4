import "./paused-regions.css";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { type PausedRegion, type Region, regionName } from "../../contract/regions.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { RegionSelect } from "./region-select.tsx";
import { useAdminAction } from "./use-admin-action.ts";

const LIST = "regions";

/** Shows a banner for each paused region, with a button to reopen it. Renders nothing if all regions are open. */
export function PausedRegions() {
  const { data = [] } = useQuery({
    queryKey: ["admin", LIST],
    queryFn: () => unwrap(browserApi().api["super-admin"].regions.paused.$get()),
    staleTime: 0,
    refetchInterval: 60_000,
  });
  if (data.length === 0) return null;
  return (
    <ul className="paused-regions" aria-label="Paused regions">
      {data.map((paused) => (
        <Paused key={paused.region} paused={paused} />
      ))}
    </ul>
  );
}

function Paused({ paused: { region, reason, since } }: { paused: PausedRegion }) {
  const name = regionName(region);
  const resume = useAdminAction({
    list: LIST,
    act: (id: Region) =>
      unwrap(browserApi().api["super-admin"].regions[":id"].resume.$post({ param: { id } })),
    getDoneMessage: () => ({
      title: `${name} has resumed`,
      description: "Waiting requests will be listed within a minute.",
    }),
    failed: `Couldn't resume ${name}`,
  });
  return (
    <li>
      <p>
        <strong>{name} has been paused</strong> since {formatDateTime(since)}: {reason}
      </p>
      <Button variant="quiet" isBusy={resume.isPending} onClick={() => resume.mutate(region)}>
        Resume<span className="visually-hidden"> {name}</span>
      </Button>
    </li>
  );
}

export function PauseRegionButton() {
  const [isAsking, setAsking] = useState(false);
  const [region, setRegion] = useState<Region | null>(null);
  const pause = useAdminAction({
    list: LIST,
    act: ({ id, reason }: { id: Region; reason: string }) =>
      unwrap(browserApi().api["super-admin"].regions[":id"].pause.$post({ param: { id }, json: { reason } })),
    getDoneMessage: ({ id }) => ({ title: `${regionName(id)} has been paused` }),
    failed: "Failed to pause the region",
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Pause a region
      </Button>
      {isAsking && (
        <ConfirmActionDialog
          title="Pause a region"
          reason={{ label: "Why", required: true }}
          actionLabel="Pause"
          isBusy={pause.isPending}
          canAct={region !== null}
          onConfirm={(reason) => region && pause.mutate({ id: region, reason })}
          onClose={() => setAsking(false)}
        >
          <p>
            Until you resume the region, nothing new will be listed or sold there. New requests will wait.
            Anyone paying right now can finish.
          </p>
          <RegionSelect label="Region" value={region} onChange={setRegion} />
        </ConfirmActionDialog>
      )}
    </>
  );
}
