import type { Home } from "../../contract/account.ts";
import type { OfferedLead } from "../../contract/leads.ts";
import { formatDeadline } from "../../contract/sydney-time.ts";
import type { OnBuy } from "./lead-actions.tsx";
import { LeadCard } from "./lead-card.tsx";

/** Shows the leads that only this business can buy right now, above the market. */
export function OfferedLeads({
  offers,
  onBuy,
  home,
}: {
  offers: readonly OfferedLead[];
  onBuy: OnBuy;
  home: Home | null;
}) {
  return (
    <section className="stack gap-2 offers" aria-labelledby="offers-title">
      <h3 id="offers-title">{offers.length === 1 ? "A lead just for you" : "Leads just for you"}</h3>
      <ul className="stack gap-4">
        {offers.map(({ lead, endsAt }) => (
          <li key={lead.id}>
            <p className="muted text-sm offers__note">
              Only you can buy it until{" "}
              <time dateTime={new Date(endsAt).toISOString()}>{formatDeadline(endsAt)}</time>. You missed out
              the first time.
            </p>
            <ul className="stack gap-4 leads">
              <LeadCard lead={lead} gone={null} onBuy={onBuy} home={home} />
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
