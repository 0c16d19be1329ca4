import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import type { AdminOverview } from "../../contract/admin.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { OVERVIEW_KEY } from "../admin/overview.ts";

const WORK: readonly { counts: keyof AdminOverview; to: string; one: string; many: string }[] = [
  {
    counts: "quarantined",
    to: "/admin/leads?state=quarantined",
    one: "suspicious request",
    many: "suspicious requests",
  },
  { counts: "duds", to: "/admin/duds", one: "dud to answer", many: "duds to answer" },
  {
    counts: "bookings",
    to: "/admin/bookings",
    one: "booking to look after",
    many: "bookings to look after",
  },
];

/** What waits for a person, each with the way there. */
export function WaitingList() {
  const { data: waiting } = useQuery({
    queryKey: OVERVIEW_KEY,
    queryFn: () => unwrap(browserApi().api["super-admin"].overview.$get()),
    staleTime: 0,
  });
  if (!waiting) return null;
  const open = WORK.filter(({ counts }) => waiting[counts] > 0);
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
