import { Link } from "react-router";

import { useUser } from "../auth/current-user.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { ViewName } from "../pipeline/pipeline-url.ts";

type View = ViewName | "figures";

const VIEWS: readonly { view: View; label: string; query: string; icon: IconName }[] = [
  { view: "list", label: "List", query: "", icon: "menu" },
  { view: "board", label: "Board", query: "?view=board", icon: "board" },
  { view: "today", label: "Today", query: "?view=today", icon: "calendar" },
  { view: "figures", label: "Figures", query: "", icon: "chart" },
];

const DASHBOARD = "/dashboard";

/** Shows links to the dashboard's views. On a phone they are at the bottom, near the thumb. */
export function ViewNav({
  current,
  dueCount,
  home = DASHBOARD,
}: {
  current: View;
  /** The number of purchases due; null until loaded. */
  dueCount: number | null;
  /**
   * Path of the page with these views, if it is not the dashboard. The offline page has no figures, because they come
   * from the server.
   */
  home?: string;
}) {
  const { userType } = useUser();
  // Only the owner sees spending and earnings.
  const hasFigures = userType === "provider" && home === DASHBOARD;
  const views = VIEWS.filter(({ view }) => view !== "figures" || hasFigures);
  return (
    <nav className="views" aria-label="Views">
      {views.map(({ view, label, query, icon }) => (
        <Link
          key={view}
          to={view === "figures" ? "/figures" : home + query}
          className="muted text-sm views__link"
          aria-current={view === current ? "page" : undefined}
        >
          <Icon name={icon} size={18} />
          {label}
          {view === "today" && Boolean(dueCount) && (
            <span className="views__count">
              {dueCount}
              <span className="visually-hidden"> due</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
