import type { ClientResponse } from "hono/client";
import { Link } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import { type CallListItem, formatCallTime } from "../../contract/standing.ts";
import { formatDeadline } from "../../contract/sydney-time.ts";
import { messageOf } from "../lib/api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { Alert } from "../ui/alert.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { LIST_LABELS, type OpenList, PERIOD_LABELS, RESULT_TONES } from "./call-labels.ts";

/** Fetches one page of the list behind a figure. */
export type FetchCalls = (
  query: OpenList & { cursor?: string | undefined },
) => Promise<ClientResponse<CallListItem[], number, "json">>;

function describeCall({ calledAt, waitMs, clockEndsAt, result }: CallListItem): string {
  if (calledAt !== null) return `Called ${formatDateTime(calledAt)}, after ${formatCallTime(waitMs!)}`;
  if (result === "withdrawn") return "No call needed";
  return result === "open"
    ? `Call by ${formatDeadline(clockEndsAt)}`
    : `Was due ${formatDateTime(clockEndsAt)}`;
}

/** Shows the leads behind a figure, newest first. */
export function CallRows({
  open,
  businessId,
  fetchCalls,
  hrefOf,
}: {
  open: OpenList;
  /** The provider's id; null for the user's own business. */
  businessId: string | null;
  fetchCalls: FetchCalls;
  hrefOf: (call: CallListItem) => string;
}) {
  const list = usePages<CallListItem>(["calls", businessId, open.show, open.period], (cursor) =>
    readPage(fetchCalls({ ...open, cursor })),
  );
  const { rows, error } = list;
  return (
    <section className="stack calls" id="calls" aria-labelledby="calls-title">
      <div className="spread calls__head">
        <h3 id="calls-title">
          {LIST_LABELS[open.show]}, {PERIOD_LABELS[open.period].toLowerCase()}
        </h3>
        <Link className="link-button" to="?" preventScrollReset>
          Close
        </Link>
      </div>
      {!rows && error && (
        <Alert>{messageOf(error, "This list didn't load. Please check your connection.")}</Alert>
      )}
      {!rows && !error && <p className="empty">Loading leads...</p>}
      {rows?.length === 0 && <p className="empty">No leads here.</p>}
      {rows && rows.length > 0 && (
        <ul className="ruled calls__rows">
          {rows.map((call) => (
            <li key={call.id}>
              <div className="calls__who">
                <Link to={hrefOf(call)}>
                  <bdi>{call.customerName}</bdi>
                </Link>
                <span className="muted">
                  {call.serviceType.map(serviceName).join(" + ")}, {call.suburbName ?? "elsewhere"}
                </span>
              </div>
              <div className="calls__when">
                <Badge tone={RESULT_TONES[call.result]}>{LIST_LABELS[call.result]}</Badge>
                <span className="muted">Bought {formatDateTime(call.purchasedAt)}</span>
                <span className="muted">{describeCall(call)}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
      {list.hasMore && (
        <Button variant="quiet" isBusy={list.isLoadingMore} onClick={list.loadMore}>
          {list.isLoadingMore ? "Loading…" : "Load more"}
        </Button>
      )}
    </section>
  );
}
