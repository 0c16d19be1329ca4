import { redirect } from "react-router";

import { unwrap } from "../lib/api.ts";
import { flashCookie } from "../lib/flash.ts";
import { apiContext } from "../lib/server-context.ts";
import type { Route } from "./+types/logout.ts";

/** Redirects visitors who typed the URL. Only the Logout button signs out, not a link. */
export function loader() {
  return redirect("/");
}

/** Ends the session when the visitor presses a document's Logout button. */
export async function action({ context }: Route.ActionArgs) {
  const flash = await unwrap(context.get(apiContext).api.auth.logout.$post()).then(
    () => "logout" as const,
    () => "logout-failed" as const,
  );
  return redirect("/", { status: 303, headers: { "Set-Cookie": flashCookie(flash) } });
}
