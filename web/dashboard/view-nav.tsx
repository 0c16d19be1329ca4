import "./view-nav.css";

import { Link } from "react-router";

import type { CurrentUser } from "../../contract/auth.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { PipelineView } from "../pipeline/pipeline-place.ts";

type View = PipelineView | "figures";

const VIEWS: readonly { view: View; label: string; to: string; icon: IconName }[] = [
  { view: "list", label: "List", to: "/dashboard", icon: "menu" },
  { view: "board", label: "Board", to: "/dashboard?view=board", icon: "board" },
  { view: "today", label: "Today", to: "/dashboard?view=today", icon: "calendar" },
  { view: "figures", label: "Figures", to: "/figures", icon: "chart" },
];

/** The ways to look at the business. On a phone they lie at the bottom, under the thumb. */
export function ViewNav({
  user,
  current,
  dueCount,
}: {
  user: CurrentUser;
  current: View;
  /** How many purchases are due; null while that is not known. */
  dueCount: number | null;
}) {
  // What was spent and earned is the owner's.
  const views = VIEWS.filter(({ view }) => view !== "figures" || user.userType === "provider");
  return (
    <nav className="views" aria-label="Views">
      {views.map(({ view, label, to, icon }) => (
        <Link key={view} to={to} className="views__link" aria-current={view === current ? "page" : undefined}>
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
