import { useQuery } from "@tanstack/react-query";

import { type PausedRegion, type Region, regionName } from "../../contract/regions.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { RegionSelect } from "./region-select.tsx";
import { ActionButton, type RowAction, rowAction } from "./row-actions.tsx";

const LIST = "regions";

/** Shows a banner for each paused region, with a button to reopen it. Renders nothing if all regions are open. */
export function PausedRegions() {
  const { data = [] } = useQuery({
    queryKey: ["admin", LIST],
    queryFn: () => unwrap(adminApi().regions.paused.$get()),
    staleTime: 0,
    refetchInterval: 60_000,
  });
  if (data.length === 0) return null;
  return (
    <ul className="stack gap-2 paused-regions" aria-label="Paused regions">
      {data.map((paused) => (
        <Paused key={paused.region} paused={paused} />
      ))}
    </ul>
  );
}

function Paused({ paused: { region, reason, since } }: { paused: PausedRegion }) {
  const name = regionName(region);
  const resume: RowAction = {
    label: "Resume",
    of: name,
    act: () => unwrap(adminApi().regions[":id"].resume.$post({ param: { id: region } })),
    done: {
      title: `${name} has resumed`,
      description: "Waiting requests will be listed within a minute.",
    },
    failed: `Couldn't resume ${name}`,
  };
  return (
    <li className="spread alarm">
      <p>
        <strong>{name} has been paused</strong> since {formatDateTime(since)}: {reason}
      </p>
      <ActionButton list={LIST} action={resume} />
    </li>
  );
}

const PAUSE = rowAction<Region>({
  label: "Pause a region",
  act: ({ choice: id, reason }) =>
    unwrap(adminApi().regions[":id"].pause.$post({ param: { id }, json: { reason } })),
  done: ({ choice }) => ({ title: `${regionName(choice)} has been paused` }),
  failed: "Failed to pause the region",
  confirm: {
    title: "Pause a region",
    text: (
      <p>
        Until you resume the region, nothing new will be listed or sold there. New requests will wait. Anyone
        paying right now can finish.
      </p>
    ),
    reason: { label: "Why", required: true },
    label: "Pause",
    choose: (region, onChoose) => <RegionSelect label="Region" value={region} onChange={onChoose} />,
  },
});

export function PauseRegionButton() {
  return <ActionButton list={LIST} action={PAUSE} />;
}
