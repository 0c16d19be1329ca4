import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { AttentionItem } from "../../contract/admin.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { momentWords } from "../lib/time-words.ts";
import { Button } from "../ui/button.tsx";
import { AskDialog } from "./ask-dialog.tsx";
import { useAdminAct } from "./use-admin-act.ts";

const KIND_WORDS: Readonly<Record<string, string>> = {
  release_stuck: "A payment cannot be taken back",
  payment_mismatch: "A payment differed from its hold",
  refund_failed: "A refund is still owed",
  sale_conflict: "Two sales of one lead",
  sale_without_lead: "A sale whose lead is lost",
  sale_without_buyer: "A sale whose buyer is lost",
};

/** What the system could not put right by itself. */
export function AttentionList() {
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", "attention"],
    queryFn: () => unwrap(browserApi().api["super-admin"].attention.$get({ query: { resolved: "no" } })),
    staleTime: 0,
  });
  return (
    <section className="attention" aria-labelledby="attention-title">
      <h2 id="attention-title">What needs attention</h2>
      {error ? (
        <p role="alert">
          {messageOf(error, "This list did not load.")}{" "}
          <button type="button" className="link-button" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      ) : !data ? (
        <p>Loading...</p>
      ) : data.length === 0 ? (
        <p className="attention__calm">Nothing. Payments, refunds and sales are where they should be.</p>
      ) : (
        <ul>
          {data.map((item) => (
            <Item key={`${item.kind} ${item.subjectId}`} item={item} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Item({ item }: { item: AttentionItem }) {
  const [isAsking, setAsking] = useState(false);
  const { kind, subjectId } = item;
  const resolve = useAdminAct({
    list: "attention",
    act: (what: { kind: string; subjectId: string }) =>
      unwrap(browserApi().api["super-admin"].attention.resolve.$post({ json: what })),
    done: () => ({ title: "Marked as resolved" }),
    failed: "Failed to resolve",
    onDone: () => setAsking(false),
  });
  const words = KIND_WORDS[kind] ?? kind.replaceAll("_", " ");
  return (
    <li>
      <div>
        <strong>{words}</strong>
        <p>{item.detail}</p>
        <p className="list__sub">
          Since {momentWords(item.since)} <span className="list__code">{subjectId}</span>
        </p>
      </div>
      <Button look="quiet" onClick={() => setAsking(true)}>
        Resolve
      </Button>
      {isAsking && (
        <AskDialog
          title="Resolved?"
          act="Mark as resolved"
          isBusy={resolve.isPending}
          onAct={() => resolve.mutate({ kind, subjectId })}
          onClose={() => setAsking(false)}
        >
          <p>{words}: you have looked after it. Should it happen again, it comes back to this list.</p>
        </AskDialog>
      )}
    </li>
  );
}
