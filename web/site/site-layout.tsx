import { data, Outlet } from "react-router";

import { requestContext } from "../lib/server-context.ts";
import type { Route } from "./+types/site-layout.ts";
import { FlashToast } from "./flash-toast.tsx";
import { loadClaims } from "./site-claims.ts";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import { loadVisitor } from "./visitor.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const [visitor, claims] = await Promise.all([loadVisitor({ request, context }), loadClaims(context)]);
  const { showsSampleClaims } = context.get(requestContext);
  return data({ ...visitor.data, ...claims, showsSampleClaims }, visitor.init ?? undefined);
}

/**
 * Sends the speculation rules as a header and a file, so the policy need not allow an inline script. The browser loads
 * a linked page while the visitor's finger or pointer rests on the link.
 */
export function headers() {
  return { "Speculation-Rules": '"/speculation-rules.json"' };
}

/** Layout of the documents: header, page, footer. */
export default function SiteLayout({ loaderData }: Route.ComponentProps) {
  const { user, contactPhone, contactEmail, legalEntity, showsSampleClaims, flash } = loaderData;
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <SiteHeader user={user} phone={contactPhone} />
      <main id="main">
        <Outlet />
      </main>
      <SiteFooter
        phone={contactPhone}
        email={contactEmail}
        legalEntity={legalEntity}
        isDemo={showsSampleClaims}
      />
      <FlashToast flash={flash} />
    </>
  );
}
