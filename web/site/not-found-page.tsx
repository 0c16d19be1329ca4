import { data } from "react-router";

import { NoticePage } from "./notice.tsx";
import { pageMeta } from "./page-meta.ts";

export function loader() {
  return data(null, { status: 404 });
}

export function meta() {
  return pageMeta({
    title: "404 Page Not Found",
    description:
      "There’s no page at this address. Check it for a typing mistake, go to the home page, or find your suburb in our list.",
  });
}

export default function NotFoundPage() {
  return (
    <NoticePage title="404 Page Not Found">
      <p className="intro">Did you forget to add the page to the router?</p>
      <p className="actions">
        <a className="button button--main button--large" href="/">
          Back to the home page
        </a>
        <a className="button button--quiet button--large" href="/locations">
          Find Locations
        </a>
      </p>
    </NoticePage>
  );
}
