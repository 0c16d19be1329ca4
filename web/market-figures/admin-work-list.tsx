import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import type { AdminOverview } from "../../contract/admin.ts";
import type { MarketFigures } from "../../contract/market-figures.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { OVERVIEW_KEY } from "../admin/overview.ts";

type Waiting = AdminOverview & { unsold: number; stopped: number };

const WORK_ITEMS: readonly { counts: keyof Waiting; to: string; one: string; many: string }[] = [
  {
    counts: "quarantined",
    to: "/admin/leads?state=quarantined",
    one: "suspicious request",
    many: "suspicious requests",
  },
  {
    counts: "unsold",
    to: "/admin/leads?state=available",
    one: "lead unsold for over a day",
    many: "leads unsold for over a day",
  },
  {
    counts: "stopped",
    to: "/admin/providers?only=stopped",
    one: "provider who stopped buying or calling",
    many: "providers who stopped buying or calling",
  },
  {
    counts: "badLeads",
    to: "/admin/bad-leads",
    one: "bad-lead report without an answer",
    many: "bad-lead reports without an answer",
  },
  {
    counts: "guarantee",
    to: "/admin/guarantee",
    one: "free claim to decide",
    many: "free claims to decide",
  },
  {
    counts: "checks",
    to: "/admin/checks",
    one: "check to decide",
    many: "checks to decide",
  },
  {
    counts: "bookings",
    to: "/admin/bookings",
    one: "booking without a reply",
    many: "bookings without a reply",
  },
];

/** Shows the admin's tasks, each with a link. @param market undefined while the figures load */
export function AdminWorkList({ market }: { market: MarketFigures | undefined }) {
  const { data: overview } = useQuery({
    queryKey: OVERVIEW_KEY,
    queryFn: () => unwrap(browserApi().api["super-admin"].overview.$get()),
    staleTime: 0,
  });
  if (!overview) return null;
  const old = market?.unsold.filter((_, age) => age > 0) ?? [];
  const unsold = old.reduce((sum, { leads }) => sum + leads, 0);
  const waiting: Waiting = { ...overview, unsold, stopped: market?.stopped ?? 0 };
  const open = WORK_ITEMS.filter(({ counts }) => waiting[counts] > 0);
  if (open.length === 0) return null;
  return (
    <ul className="glance__work" aria-label="Waiting for you">
      {open.map(({ counts, to, one, many }) => (
        <li key={counts}>
          <Link className="button button--quiet" to={to}>
            <span className="admin__count">{waiting[counts]}</span> {waiting[counts] === 1 ? one : many}
          </Link>
        </li>
      ))}
    </ul>
  );
}
