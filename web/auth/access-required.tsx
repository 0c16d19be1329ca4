import { useEffect } from "react";

import { Gate } from "./gate.tsx";
import { storeReturnPath } from "./return-path.ts";

/** Shown instead of the dashboard to visitors and customers. */
export function AccessRequired({ isSignedIn }: { isSignedIn: boolean }) {
  useEffect(() => {
    if (!isSignedIn) storeReturnPath(null);
  }, [isSignedIn]);
  const links = (
    <>
      <a className="button button--main" href="/signup">
        Join as a provider
      </a>
      <a className="button button--quiet" href="/login">
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
