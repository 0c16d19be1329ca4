import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { useIsImpersonating } from "../auth/not-impersonating.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { type PurchasedLead, applySavedFields } from "./purchases.ts";
import { type PurchaseDetails, usePurchaseDetail } from "./refresh-purchases.ts";
import { firstNameOf } from "./answers.ts";

/** Maximum replies shown expanded. More would push the lead's details out of view. */
const SHOWN = 3;

/**
 * Marks replies up to the time `upTo` as read while the page is visible. If the request fails, retries when the user
 * returns to the page.
 */
function useMarkTextsSeen(purchase: PurchasedLead, upTo: number | undefined): void {
  const client = useQueryClient();
  const { id } = purchase;
  const seenAt = purchase.answersSeenAt ?? 0;
  useEffect(() => {
    if (upTo === undefined || upTo <= seenAt) return;
    const abortController = new AbortController();
    const sendSeen = async () => {
      if (document.visibilityState !== "visible") return;
      const request = browserApi().api["lead-purchases"][":id"]["answers-seen"];
      try {
        void applySavedFields(client, id, await unwrap(request.$post({ param: { id }, json: { upTo } })));
      } catch {
        // Keep the unread mark: the server has not recorded the reply as read.
      }
    };
    void sendSeen();
    document.addEventListener("visibilitychange", () => void sendSeen(), { signal: abortController.signal });
    return () => abortController.abort();
  }, [client, id, upTo, seenAt]);
}

/**
 * Lists the customer's replies to the business's text messages, newest first. Renders nothing without replies.
 */
export function CustomerTexts({ purchase }: { purchase: PurchasedLead }) {
  const { data, error, refetch } = usePurchaseDetail(purchase.id);
  const answers = data?.answers ?? [];
  const older = answers.slice(SHOWN);
  // An impersonating admin's view does not count as reading.
  useMarkTextsSeen(purchase, useIsImpersonating() ? undefined : answers[0]?.at);
  if (!purchase.answeredAt && answers.length === 0) return null;
  return (
    <section className="stack gap-2 answers" aria-labelledby="answers-head">
      <h3 id="answers-head">Texts from {firstNameOf(purchase)}</h3>
      {error && !data ? (
        <p className="muted text-sm answers__wait">
          The texts didn't load.{" "}
          <button type="button" className="link-button" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      ) : !data ? (
        <p className="muted text-sm answers__wait">Loading…</p>
      ) : (
        <>
          <Texts answers={answers.slice(0, SHOWN)} />
          {older.length > 0 && (
            <details>
              <summary>{older.length === 1 ? "1 older text" : `${older.length} older texts`}</summary>
              <Texts answers={older} />
            </details>
          )}
        </>
      )}
    </section>
  );
}

function Texts({ answers }: { answers: PurchaseDetails["answers"] }) {
  return (
    <ol className="stack gap-2 answers__list">
      {answers.map(({ id, at, words }) => (
        <li key={id}>
          <p dir="auto">{words}</p>
          <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
        </li>
      ))}
    </ol>
  );
}
