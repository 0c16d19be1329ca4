import "./admin.css";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { data, Link, NavLink, Outlet, useLocation } from "react-router";

import { fetchCurrentUser, useCurrentUser } from "../auth/current-user.ts";
import { Gate } from "../auth/gate.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { apiContext } from "../lib/server-context.ts";
import type { Route } from "./+types/admin-layout.ts";
import { OVERVIEW_KEY } from "./overview.ts";
import { PausedRegions } from "./paused-regions.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const user = await fetchCurrentUser(context.get(apiContext));
  return data({ user }, { status: user?.isSuperAdmin ? 200 : user ? 403 : 401 });
}

/** Never revalidates on navigation. Access ends with a full page load or a refused API call. */
export function shouldRevalidate() {
  return false;
}

export function meta() {
  return [{ title: "Admin | Naturestrip" }, { name: "robots", content: "noindex" }];
}

/** The admin pages. `counts` is the key of each page's count of waiting items. */
const PAGES = [
  { to: "/admin", label: "At a glance", counts: null },
  { to: "/admin/providers", label: "Providers", counts: null },
  { to: "/admin/leads", label: "Leads", counts: "quarantined" },
  { to: "/admin/bad-leads", label: "Bad leads", counts: "badLeads" },
  { to: "/admin/guarantee", label: "Free claims", counts: "guarantee" },
  { to: "/admin/reviews", label: "Reviews", counts: "reviews" },
  { to: "/admin/checks", label: "Checks", counts: "checks" },
  { to: "/admin/bookings", label: "Bookings", counts: "bookings" },
  { to: "/admin/payments", label: "Payments", counts: "attention" },
  { to: "/admin/suburbs", label: "Suburbs", counts: null },
  { to: "/admin/messages", label: "Messages", counts: null },
  { to: "/admin/audit", label: "Audit log", counts: null },
] as const;

/** Layout of the admin pages. Shows other users that they have no access. */
export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  const user = useCurrentUser(loaderData.user);
  if (user?.needsPasskey) return <PasskeyGate />;
  if (!user?.isSuperAdmin) return <Gate title="Access Denied">Super admin access required</Gate>;
  return (
    <div className="admin">
      <AdminNavigation />
      <div className="admin__page">
        <PausedRegions />
        <Outlet />
      </div>
    </div>
  );
}

function PasskeyGate() {
  const way = (
    <Link className="button button--main" to="/settings?tab=password#passkeys">
      Set up your passkey
    </Link>
  );
  return (
    <Gate title="One step before the admin pages" links={way}>
      Super admins sign in with a passkey, so a stolen password isn&apos;t enough to get in.
    </Gate>
  );
}

function AdminNavigation() {
  const strip = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const { data: waiting } = useQuery({
    queryKey: OVERVIEW_KEY,
    queryFn: () => unwrap(browserApi().api["super-admin"].overview.$get()),
    staleTime: 0,
    refetchInterval: 60_000,
  });
  const hasCounts = waiting !== undefined;
  useEffect(() => {
    const nav = strip.current!;
    const current = nav.querySelector<HTMLElement>("[aria-current=page]");
    // On a phone the navigation scrolls: keep the current page's link in view.
    if (current) nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the counts make the navigation wider
  }, [pathname, hasCounts]);
  return (
    <nav className="admin__nav" ref={strip} aria-label="Admin">
      {PAGES.map(({ to, label, counts }) => {
        const count = counts && waiting ? waiting[counts] : 0;
        return (
          <NavLink key={to} to={to} end={to === "/admin"}>
            {label}
            {count > 0 && (
              <span className="admin__count">
                {count}
                <span className="visually-hidden"> waiting</span>
              </span>
            )}
          </NavLink>
        );
      })}
    </nav>
  );
}
