import { PIPELINE_TILES } from "../../contract/stages.ts";
import {
  type CallListItem,
  isLowShare,
  LOW_STANDING_MIN_LEADS,
  LOW_STANDING_SHARE,
  type ProviderStanding,
  STANDING_DAYS,
} from "../../contract/standing.ts";
import { formatRate } from "../charts/format-figures.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatCount } from "../lib/format-count.ts";
import { StandingFigures } from "./standing.tsx";

const LOW_SHARE = formatRate(LOW_STANDING_SHARE);

/**
 * Tells a provider that their share of leads called in time is low, and what that means. Renders nothing otherwise.
 * Rescue offers count all businesses of a person, but a suburb page's order only the business's own calls.
 */
function Warning({ standing, contactEmail }: { standing: ProviderStanding; contactEmail: string }) {
  const { in_time: inTime, counted } = standing.recent;
  const isOwn = isLowShare({ counted, inTime });
  if (!isOwn && !standing.isLow) return null;
  const effects = [
    isOwn && "suburb pages list other providers before you",
    standing.isLow &&
      standing.rule === "no_rescue_offers" &&
      "we don't offer you leads that were passed on from another provider",
  ].filter((effect) => effect !== false);
  return (
    <div className="stack gap-2 standing__warning" role="note">
      <p>
        <strong>
          {isOwn
            ? `You called ${formatCount(inTime)} of ${formatCount(counted)} customers in time in the last ${STANDING_DAYS} days.`
            : `Across all businesses with your ABN, you called fewer than ${LOW_SHARE} of customers in time in the last ${STANDING_DAYS} days.`}
        </strong>{" "}
        {isOwn
          ? `That's below ${LOW_SHARE}. Each customer you call in time brings it up again.`
          : "Each customer you call in time brings the share up again."}
      </p>
      <p>
        {effects.length > 0 && `Until you're back at ${LOW_SHARE}, ${effects.join(", and ")}. `}
        You can still buy leads as usual. If a figure looks wrong, write to{" "}
        <a href={`mailto:${contactEmail}`}>{contactEmail}</a> and one of our team will check it.
      </p>
    </div>
  );
}

function leadHref({ id, tile }: CallListItem): string {
  const known = PIPELINE_TILES.find(({ stage }) => (stage ?? "final") === tile) ?? PIPELINE_TILES[0]!;
  return `/dashboard?tab=${known.id}&lead=${id}`;
}

/** Shows a provider how many customers they called in time. */
export function OwnStanding({
  standing,
  contactEmail,
}: {
  standing: ProviderStanding;
  contactEmail: string;
}) {
  return (
    <section className="standing" aria-labelledby="standing-title">
      <h2 id="standing-title" className="text-lg">
        Calling customers
      </h2>
      <Warning standing={standing} contactEmail={contactEmail} />
      <StandingFigures
        standing={standing}
        businessId={null}
        caption="Your bought leads by call result"
        hrefOf={leadHref}
        fetchCalls={(query) => browserApi().api.figures.calls.$get({ query })}
      />
      <details className="muted text-sm standing__how">
        <summary>How we count</summary>
        <p>
          From the sale you have 4 hours to call if the lead is urgent, or 24 hours if it isn&apos;t. Only the
          hours from 7 am to 8 pm count. Public holidays don&apos;t count. A conversation or text counts once
          you&apos;ve logged it on the lead.
        </p>
        <p>
          If you have a page, suburb pages show how many customers you called in time, once you’ve had at
          least {LOW_STANDING_MIN_LEADS}.
        </p>
        <p>
          A customer who tells us that you called counts as called too. If they tell us that you haven&apos;t
          called yet, calls you logged before that don&apos;t count. A later call does. We only count answers
          from customers who used a link we sent them or replied to our text. Their leads say “Email
          confirmed” or “Number confirmed”.
        </p>
        <p>
          The percentage leaves out leads whose time is still running, requests that the customer withdrew in
          time or deleted, accepted bad-lead reports, wrong numbers and unanswered calls that gave you a free
          claim, and customers who say they never asked. Refunded leads, leads you added yourself and leads
          from before we started counting aren&apos;t here at all.
        </p>
      </details>
    </section>
  );
}
