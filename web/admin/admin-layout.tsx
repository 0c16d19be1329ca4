import { useEffect, useRef } from "react";
import { data, Link, NavLink, Outlet, useLocation } from "react-router";

import { fetchCurrentUser, useCurrentUser } from "../auth/current-user.ts";
import { Gate } from "../auth/gate.tsx";
import { apiContext } from "../lib/server-context.ts";
import type { Route } from "./+types/admin-layout.ts";
import { useWaiting, WaitingCount } from "./overview.tsx";
import { PausedRegions } from "./paused-regions.tsx";
import { RowDialogs } from "./row-actions.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const user = await fetchCurrentUser(context.get(apiContext));
  return data({ user }, { status: user?.isSuperAdmin ? 200 : user ? 403 : 401 });
}

/** Never revalidates on navigation. Access ends with a full page load or a refused API call. */
export function shouldRevalidate() {
  return false;
}

/** Returns the title of a page without a title of its own. */
export function meta({ location }: Route.MetaArgs) {
  const { label } = PAGES.find(({ to }) => to === location.pathname) ?? { label: "Admin" };
  return [{ title: `${label} | Naturestrip admin` }, { name: "robots", content: "noindex" }];
}

/** The admin pages. The first shows the count of all that waits. */
const PAGES = [
  { to: "/admin", label: "To decide" },
  { to: "/admin/leads", label: "Leads" },
  { to: "/admin/providers", label: "Providers" },
  { to: "/admin/payments", label: "Payments" },
  { to: "/admin/figures", label: "Figures" },
  { to: "/admin/audit", label: "Audit log" },
  { to: "/admin/settings", label: "Settings" },
] as const;

/** Layout of the admin pages. Shows other users that they have no access. */
export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  const user = useCurrentUser(loaderData.user);
  if (user?.needsPasskey) return <PasskeyGate />;
  if (!user?.isSuperAdmin) return <Gate title="Access Denied">Super admin access required</Gate>;
  return (
    <div className="stack gap-5 admin">
      <AdminNavigation />
      <div className="stack gap-4 admin__page">
        <RowDialogs>
          <PausedRegions />
          <Outlet />
        </RowDialogs>
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
  const waiting = useWaiting();
  const count = waiting && Object.values(waiting).reduce((sum, open) => sum + open, 0);
  useEffect(() => {
    const nav = strip.current!;
    const current = nav.querySelector<HTMLElement>("[aria-current=page]");
    // On a phone the navigation scrolls: keep the current page's link in view.
    if (current) nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the count makes the navigation wider
  }, [pathname, count]);
  return (
    <nav className="admin__nav" ref={strip} aria-label="Admin">
      {PAGES.map(({ to, label }) => (
        <NavLink key={to} to={to} end={to === "/admin"}>
          {label}
          {to === "/admin" && <WaitingCount count={count} />}
        </NavLink>
      ))}
    </nav>
  );
}
