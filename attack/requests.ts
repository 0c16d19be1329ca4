/** Valid requests: each route and page, with existing IDs and a body that the product accepts. */
import { API_ROUTES, type IdKind, idKindOf } from "../testing/routes/api.ts";
import { PAGE_FORMS } from "../testing/routes/page-forms.ts";
import type { Page, Route } from "./routes.ts";
import { bytesOf, type AttackRequest } from "./wire.ts";
import type { CallerKind } from "./people.ts";
import { SLUGS } from "./tenants.ts";
import type { World } from "./world.ts";

export const JSON_TYPE = "application/json";
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** One target: an API route, or a page as a document or as the framework's data. */
export type Endpoint =
  | { kind: "call"; method: string; path: string }
  | { kind: "page"; method: string; path: string; isData: boolean };

/** Returns every route and every page. Each page is read as a document and as data, and posted to if it has a form. */
export function listEndpoints(routes: readonly Route[], pages: readonly Page[]): Endpoint[] {
  const calls = routes.map((route): Endpoint => ({ kind: "call", ...route }));
  const visits = pages.flatMap(({ path, hasAction }) =>
    (hasAction ? ["GET", "POST"] : ["GET"]).flatMap((method): Endpoint[] =>
      [false, true].map((isData) => ({ kind: "page", method, path, isData })),
    ),
  );
  return [...calls, ...visits];
}

export const nameOf = ({ method, path, ...endpoint }: Endpoint) =>
  `${method} ${path}${endpoint.kind === "page" && endpoint.isData ? ".data" : ""}`;

const NAMES: Readonly<Record<string, string>> = {
  ":region": "inner-west",
  ":name": "leichhardt",
  ":slug": "leichhardt",
  ":suburb": "leichhardt",
  ":service": "lawn-mowing",
  ":token": "t".repeat(43),
  ":kind": "after",
  ":size": "small",
  "*": "no-such-page",
};

/** A path's part, and the value of its last parameter, where it differs from `NAMES`. */
const OTHER_NAMES: readonly [part: string, values: readonly string[]][] = [
  ["/og/:file", ["manly.png"]],
  [":file", ["1.xml"]],
  ["/own/:kind", ["logo"]],
  ["/profiles/:slug", Object.values(SLUGS)],
  ["/provider/:slug", Object.values(SLUGS)],
];

const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

/** Returns the kind of ID in a goal's path. */
export const poolOf = ({ path }: Endpoint): IdKind => idKindOf(path);

/**
 * Returns a goal's path.
 *
 * @param pick which of the IDs to use
 * @param segment replaces the last parameter, if given
 * @param replaced matches the parameters that it may replace instead
 */
export function pathOf(
  endpoint: Endpoint,
  { ids, planted }: World,
  pick: number,
  segment: string | null,
  replaced = /^[:*]/,
): string {
  const pool = poolOf(endpoint);
  // Only read planted people. A caller who bought one could then legitimately read it.
  const known =
    endpoint.method === "GET" ? [...ids[pool], ...planted.leads, ...planted.purchases] : ids[pool];
  const parts = endpoint.path.split("/");
  const last = parts.findLastIndex((part) => replaced.test(part));
  const others = OTHER_NAMES.find(([part]) => endpoint.path.includes(part))?.[1];
  const filled = parts.map((part, i) => {
    if (i === last && segment !== null) return segment;
    if (part === ":providerId") return at(ids.users, pick);
    if (part === ":id" || part === ":leadId")
      return part === ":leadId" ? at(ids.leads, pick) : at(known, pick);
    if (others && i === parts.length - 1) return at(others, pick);
    return NAMES[part] ?? part;
  });
  const path = filled.join("/");
  if (endpoint.kind === "call" || !endpoint.isData) return path;
  // React Router's name for the root's data.
  return path === "/" ? "/_root.data" : `${path}.data`;
}

/** Returns a body that the product accepts, as fields; null if the route reads none. */
export function fieldsOf(
  endpoint: Endpoint,
  { ids, browsers }: World,
  pick: number,
): Record<string, unknown> | null {
  if (endpoint.method === "GET") return null;
  if (endpoint.kind === "page") return PAGE_FORMS[endpoint.path]?.() ?? {};
  const fields = API_ROUTES[`${endpoint.method} ${endpoint.path}`]?.body?.() ?? null;
  // Use this machine's push service. Any other subscription would send to the internet.
  if (fields && "endpoint" in fields) return { ...at(browsers, pick) };
  if (fields && "leadId" in fields) fields.leadId = at(ids.leads, pick);
  return fields;
}

export function formText(fields: Record<string, unknown>): string {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one): [string, string] => [name, typeof one === "string" ? one : (JSON.stringify(one) ?? "")]),
  );
  return new URLSearchParams(entries).toString();
}

/** Returns the headers of a caller's own browser. */
export function headersOf(world: World, caller: CallerKind, origin: string): Record<string, string> {
  const cookie = world.cookies[caller];
  return { Origin: origin, ...(cookie && { Cookie: cookie }) };
}

/** Returns a valid request for a goal. */
export function buildValidRequest(
  endpoint: Endpoint,
  world: World,
  caller: CallerKind,
  origin: string,
  pick = 0,
): AttackRequest {
  const fields = fieldsOf(endpoint, world, pick);
  const type = endpoint.kind === "page" ? FORM_TYPE : JSON_TYPE;
  const text = fields && (endpoint.kind === "page" ? formText(fields) : JSON.stringify(fields));
  return {
    method: endpoint.method,
    path: pathOf(endpoint, world, pick, null),
    headers: { ...headersOf(world, caller, origin), ...(text !== null && { "Content-Type": type }) },
    body: text === null ? null : bytesOf(text),
  };
}
