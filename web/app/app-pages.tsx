import { Link, useLocation } from "react-router";

import { Gate } from "../auth/gate.tsx";

export { Outlet as default } from "react-router";

/** The title while a page's own part is missing. */
export function meta() {
  return [{ title: "Naturestrip" }];
}

/** Shown instead of a page that failed to load, below the app's bar. The bar's layout and its stored changes stay. */
export function ErrorBoundary() {
  const page = useLocation();
  return (
    <Gate
      title="This page didn't load"
      links={
        <>
          <Link className="button button--main" to={page} replace>
            Try again
          </Link>
          {/* Loads the page afresh: without a connection, the service worker shows the leads on this device. */}
          <a className="button button--quiet" href="/dashboard">
            Back to the dashboard
          </a>
        </>
      }
    >
      Please check your connection.
    </Gate>
  );
}
