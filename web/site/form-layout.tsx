import { Outlet } from "react-router";

import type { Route } from "./+types/form-layout.ts";
import { FlashToast } from "./flash-toast.tsx";
import { loadVisitor } from "./visitor.ts";

export function loader({ request, context }: Route.LoaderArgs) {
  return loadVisitor({ request, context });
}

/** Layout for pages with a single form. It adds no links of its own. */
export default function FormLayout({ loaderData }: Route.ComponentProps) {
  return (
    <main id="main" className="form-page">
      <Outlet />
      <FlashToast flash={loaderData.flash} />
    </main>
  );
}
