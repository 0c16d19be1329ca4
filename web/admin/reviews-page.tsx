import { type FormEvent, useState } from "react";

import {
  type AdminReview,
  CHOSEN_RULES,
  type ChosenRule,
  formatStars,
  REVIEW_RULE_LABELS,
} from "../../contract/reviews.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import type { Column } from "./admin-list.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { IdLink, ProviderCell } from "./id-link.tsx";
import { ListPage } from "./list-page.tsx";
import { useAdminAction } from "./use-admin-action.ts";

export function meta() {
  return [{ title: "Reviews | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

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

function ReviewActions({ review }: { review: AdminReview }) {
  const [isHiding, setIsHiding] = useState(false);
  const [rule, setRule] = useState<ChosenRule | null>(null);
  const decide = useAdminAction({
    list: "reviews",
    act: (json: { rule: ChosenRule | null }) =>
      unwrap(browserApi().api["super-admin"].reviews[":id"].$post({ param: { id: review.id }, json })),
    getDoneMessage: (json) => ({
      title: json.rule ? "Review hidden" : "Review shown",
      description: review.businessName,
    }),
    failed: "Couldn't change the review",
    onDone: () => setIsHiding(false),
  });
  const removeReply = useAdminAction({
    list: "reviews",
    act: () =>
      unwrap(browserApi().api["super-admin"].reviews[":id"].reply.$delete({ param: { id: review.id } })),
    getDoneMessage: () => ({ title: "Reply removed", description: review.businessName }),
    failed: "Couldn't remove the reply",
  });
  const choose = (event: FormEvent<HTMLDivElement>) =>
    setRule((event.target as HTMLInputElement).value as ChosenRule);
  const about = <span className="visually-hidden"> the review of {review.businessName}</span>;
  return (
    <div className="list__acts">
      {(review.hiddenRule || review.flag) && (
        <Button variant="quiet" isBusy={decide.isPending} onClick={() => decide.mutate({ rule: null })}>
          {review.hiddenRule ? "Show" : "Keep"}
          {about}
        </Button>
      )}
      {!review.hiddenRule && (
        <Button variant="quiet" onClick={() => setIsHiding(true)}>
          Hide{about}
        </Button>
      )}
      {review.reply && (
        <Button variant="quiet" isBusy={removeReply.isPending} onClick={() => removeReply.mutate()}>
          Remove reply<span className="visually-hidden"> of {review.businessName}</span>
        </Button>
      )}
      {isHiding && (
        <ConfirmActionDialog
          title="Hide this review?"
          actionLabel="Hide review"
          canAct={rule !== null}
          isBusy={decide.isPending}
          onConfirm={() => decide.mutate({ rule })}
          onClose={() => setIsHiding(false)}
        >
          <p>
            Only for one of our published rules, never for its stars. The customer and {review.businessName}{" "}
            will see which one, and everyone sees how many reviews are hidden.
          </p>
          <div onChange={choose}>
            <ChoiceGroup name="rule" legend="Rule" type="radio" options={RULE_OPTIONS} chosen={[]} required />
          </div>
        </ConfirmActionDialog>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<AdminReview>[] = [
  {
    name: "Provider",
    cell: (review) => (
      <ProviderCell id={review.businessId} name={review.businessName} sub={formatDateTime(review.at)} />
    ),
  },
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
  { name: "Actions", cell: (review) => <ReviewActions review={review} /> },
];

/** Shows customers' reviews of all providers. */
export default function ReviewsPage() {
  return (
    <ListPage
      title="Reviews"
      intro={
        <>
          Every review is shown as soon as it&apos;s written. We hide one only by{" "}
          <a href="/reviews">our published rules</a>.
        </>
      }
      list="reviews"
      choices={CHOICES}
      fetchPage={(list, cursor) => browserApi().api["super-admin"].reviews.$get({ query: { cursor, list } })}
      columns={COLUMNS}
      idOf={(review) => review.id}
      empty="No reviews to check."
    />
  );
}
