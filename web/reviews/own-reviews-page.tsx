import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { data } from "react-router";

import { formatMean, MAX_REPLY_LENGTH, type OwnReview, REVIEW_RULE_LABELS } from "../../contract/reviews.ts";
import { AccessRequired } from "../auth/access-required.tsx";
import { fetchCurrentUser, useCurrentUser } from "../auth/current-user.ts";
import { Gate } from "../auth/gate.tsx";
import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { apiContext } from "../lib/server-context.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { reload } from "../lib/query-client.ts";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { TextAreaField } from "../ui/field.tsx";
import type { Route } from "./+types/own-reviews-page.ts";
import { formatHidden, ReviewList } from "./review-list.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const user = await fetchCurrentUser(context.get(apiContext));
  return data({ user }, { status: user?.userType === "provider" ? 200 : user ? 403 : 401 });
}

export function meta() {
  return [{ title: "Reviews | Naturestrip" }, { name: "robots", content: "noindex" }];
}

const KEY = ["reviews"];

/** Shows a provider their reviews, with a form to reply to each. */
export default function OwnReviewsPage({ loaderData }: Route.ComponentProps) {
  const user = useCurrentUser(loaderData.user);
  if (user?.userType === "team_member")
    return <Gate title="Reviews are for the owner">The owner of your business reads and answers them.</Gate>;
  if (user?.userType !== "provider") return <AccessRequired isSignedIn={user !== null} />;
  return <OwnReviews />;
}

function OwnReviews() {
  const list = usePages<OwnReview>([...KEY, "list"], (cursor) =>
    readPage(browserApi().api.reviews.own.$get({ query: { cursor } })),
  );
  const { data: summary } = useQuery({
    queryKey: [...KEY, "summary"],
    queryFn: () => unwrap(browserApi().api.reviews.own.summary.$get()),
    staleTime: 0,
  });
  return (
    <div className="stack gap-5 own-reviews">
      <header className="cluster head">
        <h1>Reviews</h1>
      </header>
      <p>
        {summary && summary.shown + summary.hidden > 0 && (
          <>
            <strong>{formatMean(summary)}.</strong> {summary.hidden > 0 && formatHidden(summary.hidden)}{" "}
          </>
        )}
        We ask your customers for a review once, with a few exceptions.{" "}
        <a href="/reviews">How reviews work</a>
      </p>
      {list.rows?.length === 0 && <p className="empty">No reviews yet. Your first one shows up here.</p>}
      {!list.rows &&
        (list.error ? (
          <div className="empty" role="alert">
            <p>{messageOf(list.error, "Please check your connection.")}</p>
            <Button variant="quiet" onClick={list.retry}>
              Try again
            </Button>
          </div>
        ) : (
          <p className="empty">Loading reviews...</p>
        ))}
      {list.rows && list.rows.length > 0 && <ReviewList reviews={list.rows} after={renderActions} />}
      {list.hasMore && (
        <p className="more">
          <Button variant="quiet" isBusy={list.isLoadingMore} onClick={list.loadMore}>
            {list.isLoadingMore ? "Loading…" : "Load more"}
          </Button>
        </p>
      )}
    </div>
  );
}

const renderActions = (review: OwnReview) => <OwnActions review={review} />;

/** Says why a review is hidden, or lets the provider write or change their reply. */
function OwnActions({ review: { id, reply, hiddenRule, name } }: { review: OwnReview }) {
  const [isEditing, setIsEditing] = useState(false);
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: (text: string) =>
      unwrap(browserApi().api.reviews[":id"].reply.$post({ param: { id }, json: { reply: text } })),
    onSuccess: async () => {
      await reload(client, KEY);
      setIsEditing(false);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send.mutate(String(new FormData(event.currentTarget).get(`reply-${id}`) ?? ""));
  };
  return (
    <>
      {hiddenRule ? (
        <p className="own-reviews__hidden">
          We’ve hidden this review. {REVIEW_RULE_LABELS[hiddenRule] ?? hiddenRule}.
        </p>
      ) : isEditing ? (
        <form className="form" onSubmit={submit}>
          {send.error && <Alert>{messageOf(send.error, "That didn’t work. Please try again.")}</Alert>}
          <TextAreaField
            name={`reply-${id}`}
            label="Your reply"
            hint="Everyone can read it, below the review."
            rows={3}
            maxLength={MAX_REPLY_LENGTH}
            defaultValue={reply ?? ""}
            required
          />
          <div className="cluster">
            <Button type="submit" isBusy={send.isPending}>
              {reply ? "Save reply" : "Publish reply"}
            </Button>
            <Button variant="quiet" onClick={() => setIsEditing(false)}>
              Cancel
            </Button>
          </div>
        </form>
      ) : (
        <NotImpersonating only="reply">
          <p>
            <Button variant="quiet" onClick={() => setIsEditing(true)}>
              {reply ? "Change your reply" : "Reply"}
              <span className="visually-hidden"> to {name ?? "the customer"}</span>
            </Button>
          </p>
        </NotImpersonating>
      )}
    </>
  );
}
