import "./stage-history.css";

import { useQuery } from "@tanstack/react-query";

import { STAGES } from "../../contract/stages.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatMoment } from "../lib/format-time.ts";
import { type PurchasedLead, purchaseKey } from "./purchases.ts";

/** How this lead came into the pipeline. */
function describeStart({ mode }: PurchasedLead): string {
  if (mode === "manual") return "Added by hand";
  if (mode === "claimed") return "Claimed free";
  return mode === "assigned" ? "Assigned free" : "Bought";
}

/** Every change of stage, the newest first, with who made it. */
export function StageHistory({ purchase }: { purchase: PurchasedLead }) {
  const { data, error, refetch } = useQuery({
    queryKey: purchaseKey(purchase.id),
    queryFn: () => unwrap(browserApi().api["lead-purchases"][":id"].$get({ param: { id: purchase.id } })),
  });
  return (
    <section className="history" aria-label="Stage history">
      <h3>History</h3>
      {error && !data ? (
        <p className="history__wait">
          The history did not load.{" "}
          <button type="button" className="link-button" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      ) : !data ? (
        <p className="history__wait">Loading…</p>
      ) : (
        <ol className="history__list">
          {purchase.archivedAt !== null && (
            <Line at={purchase.archivedAt} by={null}>
              {purchase.finalisedAt === null ? "Archived" : "Closed and archived"}
            </Line>
          )}
          {data.history.toReversed().map(({ fromStage, toStage, changedAt, changedBy }) => (
            <Line key={`${changedAt}-${toStage}`} at={changedAt} by={changedBy}>
              {fromStage === null ? describeStart(purchase) : STAGES[toStage].label}
            </Line>
          ))}
        </ol>
      )}
    </section>
  );
}

function Line({ at, by, children }: { at: number; by: string | null; children: React.ReactNode }) {
  return (
    <li>
      <strong>{children}</strong>
      <span>
        <time dateTime={new Date(at).toISOString()}>{formatMoment(at)}</time>
        {by && `, ${by}`}
      </span>
    </li>
  );
}
