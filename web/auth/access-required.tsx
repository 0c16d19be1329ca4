import { useLocation } from "react-router";

import { Gate } from "./gate.tsx";
import { getLoginPath } from "./return-path.ts";

/** Shown instead of the dashboard to visitors and customers. */
export function AccessRequired({ isSignedIn }: { isSignedIn: boolean }) {
  const location = useLocation();
  const links = (
    <>
      <a className="button button--main" href="/signup">
        Join as a provider
      </a>
      <a className="button button--quiet" href={isSignedIn ? "/login" : getLoginPath(location)}>
        Sign in
      </a>
    </>
  );
  return (
    <Gate title="Provider Access Required" links={links}>
      {isSignedIn
        ? "You're signed in as a customer. The dashboard is for service providers and their teams."
        : "The dashboard is for service providers and their teams. Sign in, or join to buy leads in your area."}
    </Gate>
  );
}
