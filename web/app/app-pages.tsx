import { Gate } from "../auth/gate.tsx";

export { Outlet as default } from "react-router";

/** The title while a page's own part is missing. */
export const meta = () => [{ title: "Naturestrip" }];

/**
 * Shown instead of a page that failed to load, below the app's bar, which leads back to the dashboard. The link loads the
 * page afresh: without a connection, the service worker shows the leads on this device.
 */
export const ErrorBoundary = () => (
  <Gate
    title="This page didn't load"
    links={
      <a className="button button--main" href="?">
        Try again
      </a>
    }
  >
    Please check your connection.
  </Gate>
);
