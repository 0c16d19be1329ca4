import type { ComponentType } from "react";
import { Link, useSearchParams } from "react-router";

import type { AdminOverview } from "../../contract/admin.ts";
import { useWaiting, WaitingCount } from "./overview.tsx";

/** A part of a page. The first part has no `show`. */
type Part = {
  /** The part's value of `show` in the URL. */
  show?: string;
  label: string;
  /** The key of its count of waiting items. */
  counts?: keyof AdminOverview;
  Content: ComponentType;
};

/** Shows a page one part at a time, with links to all parts. The URL says which part it shows. */
export function PartsPage({
  title,
  path,
  parts,
}: {
  title: string;
  path: string;
  parts: readonly [Part, ...Part[]];
}) {
  const [params] = useSearchParams();
  const waiting = useWaiting();
  const shown = parts.find(({ show }) => show === params.get("show")) ?? parts[0];
  return (
    <>
      <header className="spread">
        <h1>{title}</h1>
      </header>
      <nav className="cluster gap-2 admin__parts" aria-label={title}>
        {parts.map((part) => (
          <Link
            key={part.label}
            to={part.show ? `${path}?show=${part.show}` : path}
            aria-current={part === shown ? "page" : undefined}
          >
            {part.label}
            {part.counts && <WaitingCount count={waiting?.[part.counts]} />}
          </Link>
        ))}
      </nav>
      <shown.Content />
    </>
  );
}
