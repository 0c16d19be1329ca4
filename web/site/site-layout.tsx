import { Outlet } from "react-router";

import type { Route } from "./+types/site-layout.ts";
import { FlashToast } from "./flash-toast.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import { loadVisitor } from "./visitor.ts";

export function loader({ request, context }: Route.LoaderArgs) {
  return loadVisitor({ request, context });
}

/**
 * Speculation rules are sent as a header and a file. A linked page is ready by the time the visitor's finger or
 * pointer has settled on the link, and no inline script has to be allowed.
 */
export function headers() {
  return { "Speculation-Rules": '"/speculation-rules.json"' };
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
      <FlashToast flash={flash} />
    </>
  );
}
