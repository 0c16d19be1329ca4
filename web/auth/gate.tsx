import type { ReactNode } from "react";
import { Link } from "react-router";

/**
 * Shown instead of a page that the user may not open.
 * @param children the reason
 * @param links links to other pages; by default one to the dashboard
 */
export function Gate({ title, children, links }: { title: string; children: ReactNode; links?: ReactNode }) {
  return (
    <section className="stack gap-4 gate">
      <h1>{title}</h1>
      <p>{children}</p>
      <p className="cluster">
        {links ?? (
          <Link className="button button--main" to="/dashboard">
            Back to the dashboard
          </Link>
        )}
      </p>
    </section>
  );
}
