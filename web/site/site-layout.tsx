import { Outlet } from "react-router";

import { FLASHES } from "../lib/flash.ts";
import { Toast } from "../ui/toast.tsx";
import type { Route } from "./+types/site-layout.ts";
import { InstantLinks } from "./instant-links.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import { loadVisitor } from "./visitor.ts";

export function loader({ request, context }: Route.LoaderArgs) {
  return loadVisitor({ request, context });
}

/** Shell of the documents: header, page, footer. */
export default function SiteLayout({ loaderData }: Route.ComponentProps) {
  const { user, contactPhone, contactEmail, flash } = loaderData;
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <SiteHeader user={user} phone={contactPhone} />
      <main id="main">
        <Outlet />
      </main>
      <SiteFooter phone={contactPhone} email={contactEmail} />
      {flash && <Toast {...FLASHES[flash]} />}
      <InstantLinks />
    </>
  );
}
