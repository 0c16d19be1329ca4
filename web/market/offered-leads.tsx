import "./offered-leads.css";

import type { Home } from "../../contract/account.ts";
import type { LeadSummary, OfferedLead } from "../../contract/leads.ts";
import { formatDeadline } from "../../contract/sydney-time.ts";
import { LeadCard } from "./lead-card.tsx";

const ignoreArrival = () => {};

/** Shows the leads that only this business can buy right now, above the market. */
export function OfferedLeads({
  offers,
  onBuy,
  home,
}: {
  offers: readonly OfferedLead[];
  onBuy: (lead: LeadSummary) => void;
  home: Home | null;
}) {
  return (
    <section className="offers" aria-labelledby="offers-title">
      <h3 id="offers-title">{offers.length === 1 ? "A lead just for you" : "Leads just for you"}</h3>
      <ul className="offers__list">
        {offers.map(({ lead, endsAt }) => (
          <li key={lead.id}>
            <p className="offers__note">
              Only you can buy it until{" "}
              <time dateTime={new Date(endsAt).toISOString()}>{formatDeadline(endsAt)}</time>. You missed out
              the first time.
            </p>
            <ul className="leads">
              <LeadCard
                lead={lead}
                gone={null}
                isArrival={false}
                onSeen={ignoreArrival}
                onBuy={onBuy}
                home={home}
              />
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
