import { data } from "react-router";

import { pageMeta } from "./page-meta.ts";

export function loader() {
  return data(null, { status: 404 });
}

export function meta() {
  return pageMeta({ title: "404 Page Not Found", description: "There is no page at this address." });
}

export default function NotFoundPage() {
  return (
    <div className="wrap notice">
      <p className="plate" aria-hidden="true">
        404
      </p>
      <h1>404 Page Not Found</h1>
      <p>Did you forget to add the page to the router?</p>
      <p className="actions">
        <a className="button" href="/">
          Back to the home page
        </a>
        <a className="button button--quiet" href="/locations">
          Find Locations
        </a>
      </p>
    </div>
  );
}
