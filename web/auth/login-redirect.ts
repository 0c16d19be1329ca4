import { redirect } from "react-router";

/** Older links say /auth/login. */
export function loader() {
  return redirect("/login", 301);
}
