import { Link } from "react-router";

/** Where an id leads in the admin's room, by what it is of; null for what has no place there. */
export function placeOfId(id: string): string | null {
  const [prefix] = id.split("_");
  const q = encodeURIComponent(id);
  if (prefix === "user") return `/admin/providers/${q}`;
  if (prefix === "lead" || prefix === "pur") return `/admin/leads?q=${q}`;
  if (prefix === "pay" || prefix === "hold" || prefix === "pi") return `/admin/payments?q=${q}`;
  return null;
}

/** The page of what an id names, by a name of its own. */
export function PlaceLink({ id, children }: { id: string; children: string }) {
  const place = placeOfId(id);
  return place ? <Link to={place}>{children}</Link> : children;
}

/**
 * An id, one tap away from what it is of.
 * @param log with the way to the log's lines about it
 */
export function IdLink({ id, log = false }: { id: string; log?: boolean }) {
  const place = placeOfId(id);
  return (
    <span className="list__code">
      {place ? <Link to={place}>{id}</Link> : id}
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

/** A provider's name, leading to their page. */
export function ProviderLink({ id, children }: { id: string; children: string }) {
  return (
    <Link className="list__main" to={`/admin/providers/${id}`}>
      {children}
    </Link>
  );
}
