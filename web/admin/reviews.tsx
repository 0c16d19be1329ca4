import type { FormEvent } from "react";

import {
  type AdminReview,
  CHOSEN_RULES,
  type ChosenRule,
  formatStars,
  REVIEW_RULE_LABELS,
} from "../../contract/reviews.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import type { Column } from "./admin-list.tsx";
import { IdLink } from "./id-link.tsx";
import { ListPage } from "./list-page.tsx";
import { rowAction, type RowActionMap, RowActions } from "./row-actions.tsx";
import { providerColumn } from "./shared-columns.tsx";

const CHOICES = [
  { value: "flagged", label: "To check" },
  { value: "hidden", label: "Hidden" },
  { value: "all", label: "All" },
] as const;

const FLAG_LABELS: Readonly<Record<string, string>> = {
  provider_session: "Written by a provider who was signed in",
  provider_device: "Written in a provider's browser",
  provider_contact: "The customer has a provider's phone number or email address",
  provider_network: "Written from a network where a provider signs in",
};
const RULE_OPTIONS = CHOSEN_RULES.map((value) => ({ value, label: REVIEW_RULE_LABELS[value] }));

/** Returns what an admin can do with a review. */
function actionsOf({ id, businessName, hiddenRule, flag, reply }: AdminReview): RowActionMap {
  const { reviews } = adminApi();
  const decide = (rule: ChosenRule | null) => unwrap(reviews[":id"].$post({ param: { id }, json: { rule } }));
  const of = `the review of ${businessName}`;
  const failed = "Couldn't change the review";
  return {
    show: {
      label: hiddenRule ? "Show" : "Keep",
      of,
      when: Boolean(hiddenRule || flag),
      act: () => decide(null),
      done: { title: "Review shown", description: businessName },
      failed,
    },
    hide: rowAction<ChosenRule>({
      label: "Hide",
      of,
      when: !hiddenRule,
      act: ({ choice }) => decide(choice),
      done: { title: "Review hidden", description: businessName },
      failed,
      confirm: {
        title: "Hide this review?",
        text: (
          <p>
            Only for one of our published rules, never for its stars. The customer and {businessName} will see
            which one, and everyone sees how many reviews are hidden.
          </p>
        ),
        label: "Hide review",
        choose: (_, onChoose) => (
          <div
            onChange={(event: FormEvent) => onChoose((event.target as HTMLInputElement).value as ChosenRule)}
          >
            <ChoiceGroup name="rule" legend="Rule" type="radio" options={RULE_OPTIONS} chosen={[]} required />
          </div>
        ),
      },
    }),
    removeReply: {
      label: "Remove reply",
      of: `of ${businessName}`,
      when: reply !== null,
      act: () => unwrap(reviews[":id"].reply.$delete({ param: { id } })),
      done: { title: "Reply removed", description: businessName },
      failed: "Couldn't remove the reply",
    },
  };
}

const COLUMNS: readonly Column<AdminReview>[] = [
  providerColumn(({ at }) => formatDateTime(at)),
  {
    name: "Review",
    cell: (review) => (
      <div>
        {formatStars(review.stars)}
        {review.words && <span className="list__sub">“{review.words}”</span>}
        {review.reply && <span className="list__sub">Reply: “{review.reply}”</span>}
      </div>
    ),
  },
  {
    name: "Customer",
    cell: (review) => (
      <div>
        {review.name ?? "Erased customer"}
        <IdLink id={review.leadId} log />
      </div>
    ),
  },
  {
    name: "State",
    cell: ({ flag, hiddenRule }) => (
      <div>
        {hiddenRule ? "Hidden" : "Shown"}
        {hiddenRule && <span className="list__sub">{REVIEW_RULE_LABELS[hiddenRule] ?? hiddenRule}</span>}
        {flag && <span className="list__sub">{FLAG_LABELS[flag] ?? flag}</span>}
      </div>
    ),
  },
  { name: "Actions", cell: (review) => <RowActions list="reviews" actions={actionsOf(review)} /> },
];

/** Shows customers' reviews of all providers. */
export function ReviewsPart() {
  return (
    <ListPage
      title="Reviews"
      isPart
      intro={
        <>
          Every review is shown as soon as it&apos;s written. We hide one only by{" "}
          <a href="/reviews">our published rules</a>.
        </>
      }
      list="reviews"
      filters={{ list: { label: "Show", options: CHOICES } }}
      fetchPage={({ list }, part) => adminApi().reviews.$get({ query: { ...part, list } })}
      columns={COLUMNS}
      idOf={(review) => review.id}
      empty={({ list }) => (list === "flagged" ? "No reviews to check." : "None yet.")}
    />
  );
}
