import { Outlet } from "react-router";

import { FLASHES } from "../lib/flash.ts";
import { Toast } from "../ui/toast.tsx";
import type { Route } from "./+types/form-layout.ts";
import { loadVisitor } from "./visitor.ts";

export function loader({ request, context }: Route.LoaderArgs) {
  return loadVisitor({ request, context });
}

/** Shell of pages that are one form: nothing beside it that leads away but its own links. */
export default function FormLayout({ loaderData }: Route.ComponentProps) {
  return (
    <main id="main" className="form-page">
      <Outlet />
      {loaderData.flash && <Toast {...FLASHES[loaderData.flash]} />}
    </main>
  );
}
