import { Gate } from "../auth/gate.tsx";

export { Outlet as default } from "react-router";

/** The title while a page's own part is missing. */
export const meta = () => [{ title: "Naturestrip" }];

/**
 * Shown instead of a page that failed to load, below the app's bar, which leads back to the dashboard. The link loads the
 * page afresh. For the dashboard without a connection, the service worker shows the leads on this device.
 */
export const ErrorBoundary = ({ error }: { error: unknown }) => (
  <Gate
    title="This page didn't load"
    links={
      <a className="button button--main" href="?">
        Try again
      </a>
    }
  >
    {/* Browsers name a failed request differently. Other TypeErrors are faults of ours. */}
    {/^TypeError: .*(fetch|load f)/i.test(String(error))
      ? "Please check your connection."
      : "The problem is at our end, not yours."}
  </Gate>
);
