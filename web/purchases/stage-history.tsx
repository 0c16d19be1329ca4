import { CONTACTS } from "../../contract/contacts.ts";
import { STAGES } from "../../contract/stages.ts";
import { formatDateTime } from "../lib/format-time.ts";
import type { PurchasedLead } from "./purchases.ts";
import { type PurchaseDetails, usePurchaseDetail } from "./refresh-purchases.ts";

function describeStart({ mode }: PurchasedLead): string {
  if (mode === "manual") return "Added by hand";
  if (mode === "claimed") return "Claimed free";
  return mode === "assigned" ? "Assigned free" : "Bought";
}

/** Merges stage changes, calls, messages and corrections into one timeline, newest first. */
function linesOf(purchase: PurchasedLead, { history, contacts, corrections }: PurchaseDetails) {
  const stages = history.map(({ fromStage, toStage, changedAt, changedBy }) => ({
    key: `${changedAt}-${toStage}`,
    at: changedAt,
    by: changedBy,
    words: fromStage === null ? describeStart(purchase) : STAGES[toStage].label,
  }));
  const calls = contacts.map(({ outcome, at, by }, index) => ({
    key: `${at}-${outcome}-${index}`,
    at,
    by,
    words: CONTACTS[outcome].historyText,
  }));
  const corrected = corrections.map(({ detail, was, changedBy, changedAt }) => ({
    key: `${changedAt}-${detail}`,
    at: changedAt,
    by: changedBy,
    words: was ? `${detail} corrected. It was ${was}` : `${detail} added`,
  }));
  // Stage changes come after calls, so that a stage changed by a call is listed as newer.
  return [...calls, ...stages, ...corrected].toSorted((a, b) => a.at - b.at).toReversed();
}

export function StageHistory({ purchase }: { purchase: PurchasedLead }) {
  const { data, error, refetch } = usePurchaseDetail(purchase.id);
  return (
    <section className="stack gap-2 history" aria-label="Stage history">
      <h3>History</h3>
      {error && !data ? (
        <p className="muted text-sm">
          The history didn't load.{" "}
          <button type="button" className="link-button" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      ) : !data ? (
        <p className="muted text-sm">Loading…</p>
      ) : (
        <ol className="history__list">
          {purchase.archivedAt !== null && (
            <Line at={purchase.archivedAt} by={null}>
              {purchase.finalisedAt === null ? "Archived" : "Closed and archived"}
            </Line>
          )}
          {linesOf(purchase, data).map(({ key, at, by, words }) => (
            <Line key={key} at={at} by={by}>
              {words}
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
        <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
        {by && `, ${by}`}
      </span>
    </li>
  );
}
