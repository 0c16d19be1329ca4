import { useEffect } from "react";

import { Gate } from "./gate.tsx";
import { rememberReturnPath } from "./way-back.ts";

/** Shown instead of the dashboard to visitors and customers. */
export function AccessRequired({ isSignedIn }: { isSignedIn: boolean }) {
  useEffect(() => {
    if (!isSignedIn) rememberReturnPath(null);
  }, [isSignedIn]);
  const ways = (
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
    <Gate title="Provider Access Required" ways={ways}>
      {isSignedIn
        ? "You're signed in as a customer. The dashboard is for service providers and their teams."
        : "The dashboard is for service providers and their teams. Sign in, or join to buy leads in your area."}
    </Gate>
  );
}
