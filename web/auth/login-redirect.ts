import { redirect } from "react-router";

/** Redirects old links to /auth/login. */
export function loader() {
  return redirect("/login", 301);
}
