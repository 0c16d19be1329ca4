import { Link } from "react-router";

/** Returns the path of the admin page for an id, or null if there is none. */
export function getAdminPath(id: string): string | null {
  const [prefix] = id.split("_");
  const q = encodeURIComponent(id);
  if (prefix === "user") return `/admin/providers/${q}`;
  if (prefix === "lead" || prefix === "pur") return `/admin/leads?q=${q}`;
  if (prefix === "pay" || prefix === "hold" || prefix === "pi") return `/admin/payments?q=${q}`;
  return null;
}

/** Shows a name as a link to the admin page for an id. */
export function AdminLink({ id, children }: { id: string; children: string }) {
  const path = getAdminPath(id);
  return path ? <Link to={path}>{children}</Link> : children;
}

/**
 * Shows an id with a link to its page.
 * @param log whether to link to its audit log entries too
 */
export function IdLink({ id, log = false }: { id: string; log?: boolean }) {
  const path = getAdminPath(id);
  return (
    <span className="list__code">
      {path ? <Link to={path}>{id}</Link> : id}
      {log && (
        <>
          {" · "}
          <Link to={`/admin/audit?q=${encodeURIComponent(id)}`}>
            Log<span className="visually-hidden"> of {id}</span>
          </Link>
        </>
      )}
    </span>
  );
}

/** Shows a provider's name as a link to its page, with a second line. */
export function ProviderCell({ id, name, sub }: { id: string; name: string; sub: string | null }) {
  return (
    <div>
      <Link className="list__main" to={`/admin/providers/${id}`}>
        {name}
      </Link>
      {sub && <span className="list__sub">{sub}</span>}
    </div>
  );
}
