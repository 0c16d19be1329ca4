import { useRevalidator } from "react-router";

import { Gate } from "../auth/gate.tsx";
import { Button } from "../ui/button.tsx";

export { Outlet as default } from "react-router";

/** The title while a page's own part is missing. */
export function meta() {
  return [{ title: "Naturestrip" }];
}

/** Shown instead of a page that failed to load, below the app's bar. The bar's layout and its stored changes stay. */
export function ErrorBoundary() {
  const { revalidate, state } = useRevalidator();
  return (
    <Gate
      title="This page didn't load"
      links={
        <>
          <Button variant="main" isBusy={state === "loading"} onClick={() => void revalidate()}>
            Try again
          </Button>
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
