/**
 * A caller who requests another tenant's row must get the same response as for an ID that does not exist. The request
 * may change only the caller's own rows.
 */
import { setTimeout as after } from "node:timers/promises";

import { sendAndJudge } from "./send-and-judge.ts";
import type { CallerKind } from "./people.ts";
import { changedRows, Rows } from "./rows.ts";
import { fieldsOf, type Endpoint, headersOf, JSON_TYPE, nameOf, pathOf, poolOf } from "./requests.ts";
import { RIVAL_SECRETS } from "./tenants.ts";
import type { AttackContext } from "./walk.ts";
import { type AttackResponse, bytesOf, type AttackRequest } from "./wire.ts";
import type { World } from "./world.ts";

/** Body fields that contain a row's ID, with the kind of ID. */
const FIELDS = {
  leadId: "leads",
  holdId: "holds",
  cardId: "cards",
  targetUserId: "users",
  assignedTo: "users",
} as const;

/** Routes with an optional field that contains a row's ID. */
const OPTIONAL: Readonly<Record<string, keyof typeof FIELDS>> = {
  "PATCH /api/lead-purchases/:id/sales-stage": "assignedTo",
};

/** One ID in a request. It is in the path if `field` is null, otherwise in the body. */
type IdPlace = {
  endpoint: Endpoint;
  field: keyof typeof FIELDS | null;
  caller: "stranger" | "team";
  id: string;
};

/** A path's parameter that names a row. */
const ID_PART = /^:(id|leadId|providerId)$/;

/** Returns an ID of the same form that does not exist. */
const makeUnknownId = (id: string) => id.replace(/[^_]+$/, (end) => "0".repeat(end.length));

/** Lists every place in a request where a caller can name a row of the provider. */
function placesOf(endpoints: readonly Endpoint[], world: World): IdPlace[] {
  const { own, personal } = world.tenants;
  return endpoints.flatMap((endpoint) => {
    if (endpoint.kind !== "call") return [];
    const body = Object.keys(fieldsOf(endpoint, world, 0) ?? {}).concat(OPTIONAL[nameOf(endpoint)] ?? []);
    const named = body.filter((name) => name in FIELDS) as (keyof typeof FIELDS)[];
    const inPath = endpoint.path.split("/").some((part) => ID_PART.test(part)) && poolOf(endpoint) in own;
    return [...(inPath ? [null] : []), ...named].flatMap((field) => {
      const pool = (field ? FIELDS[field] : poolOf(endpoint)) as keyof typeof own;
      const callers = personal.includes(pool) ? (["stranger", "team"] as const) : (["stranger"] as const);
      return [own[pool]].flat().flatMap((id) => callers.map((caller) => ({ endpoint, field, caller, id })));
    });
  });
}

function buildRequest(
  { endpoint, field, caller }: IdPlace,
  id: string,
  world: World,
  origin: string,
): AttackRequest {
  const fields = fieldsOf(endpoint, world, 0);
  // A link or an upload of the stranger's own customer must not open another customer's rows.
  const body = fields && "token" in fields ? { ...fields, ...RIVAL_SECRETS } : fields;
  const query = endpoint.path.startsWith("/api/photos/:id") ? `?token=${RIVAL_SECRETS.token}` : "";
  const text = body && JSON.stringify(field ? { ...body, [field]: id } : body);
  // If the ID is in the body, the path names one of the caller's own rows.
  const ownId = endpoint.path.includes("lead-purchases") ? world.tenants.rivalPurchase : null;
  return {
    method: endpoint.method,
    path: pathOf(endpoint, world, 0, field ? ownId : id, ID_PART) + query,
    headers: { ...headersOf(world, caller, origin), ...(text && { "Content-Type": JSON_TYPE }) },
    body: text && bytesOf(text),
  };
}

/** Headers that differ between two responses to the same request. */
const VARYING_HEADERS = new Set(["x-request-id", "x-attack-rows", "date"]);

/** Returns what a caller sees of a response, and which tables changed, without the row's ID and the request ID. */
function describeResponse({ status, headers, body, rows }: AttackResponse, id: string): string {
  const shown = Object.entries(headers).filter(([name]) => !VARYING_HEADERS.has(name));
  const text = body.replaceAll(headers["x-request-id"] ?? "\0", "").replaceAll(id, "");
  return JSON.stringify({ status, text, headers: shown.toSorted(), changed: Object.keys(rows).toSorted() });
}

/** Returns the part of a text around its first difference from another. */
function difference(one: string, other: string): string {
  const at = [...one].findIndex((letter, i) => letter !== other[i]);
  return one.slice(Math.max(0, at - 20), at + 80);
}

/** Returns whether a row contains the ID of the caller's account or purchase. */
const isOwn = (row: string, { users, tenants }: World, caller: "stranger" | "team") =>
  row.includes(users[caller].id) || (caller === "stranger" && row.includes(tenants.rivalPurchase));

/** Wait for the background work of earlier requests. */
const SETTLE_MS = 400;

/**
 * Requests every row of the provider as another provider, and personal rows also as a member of the provider's team.
 *
 * @returns the number of requests sent
 */
export async function requestForeignRows(
  context: AttackContext,
  endpoints: readonly Endpoint[] = context.endpoints,
): Promise<number> {
  const { target, world, judge } = context;
  await world.renew();
  await after(SETTLE_MS);
  const rows = new Rows(target.folder);
  let sent = 0;
  for (const place of placesOf(endpoints, world)) {
    const { endpoint, caller, field, id } = place;
    const [name, as] = [nameOf(endpoint), caller as CallerKind];
    const where = `${name}${field ? ` {${field}}` : ""} as ${caller}`;
    const before = rows.read();
    const real = await sendAndJudge(context, name, as, buildRequest(place, id, world, target.url));
    const foreign = changedRows(before, rows.read()).filter((row) => !isOwn(row, world, caller));
    const none = await sendAndJudge(
      context,
      name,
      as,
      buildRequest(place, makeUnknownId(id), world, target.url),
    );
    sent += 2;
    if (!real || !none) continue;
    const [got, expected] = [describeResponse(real, id), describeResponse(none, makeUnknownId(id))];
    if (got !== expected)
      judge.add({
        kind: "tenant",
        where,
        what: `another tenant's ID gets …${difference(got, expected)}…, and not …${difference(expected, got)}…`,
      });
    for (const row of foreign)
      judge.add({ kind: "tenant", where, what: `changed a row of another tenant: ${row.slice(0, 150)}` });
  }
  rows.close();
  return sent;
}
