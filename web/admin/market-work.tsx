import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";

const WORK_ITEMS = [
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
] as const;

/** Shows counts of old unsold leads and of providers who stopped, with links. Renders nothing if there is nothing. */
export function MarketWork() {
  const { data: market } = useQuery({
    queryKey: ["admin", "market"],
    queryFn: () => unwrap(adminApi().market.$get()),
    staleTime: 0,
  });
  if (!market) return null;
  const old = market.unsold.filter((_, age) => age > 0);
  const waiting = { unsold: old.reduce((sum, { leads }) => sum + leads, 0), stopped: market.stopped };
  const open = WORK_ITEMS.filter(({ counts }) => waiting[counts] > 0);
  if (open.length === 0) return null;
  return (
    <ul className="cluster" aria-label="Waiting for you">
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
