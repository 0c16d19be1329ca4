/**
 * A caller who requests another tenant's row must get the same response as for an ID that does not exist. The request
 * may change only the caller's own rows.
 */
import { setTimeout as after } from "node:timers/promises";

import { ask } from "./ask.ts";
import type { CallerKind } from "./people.ts";
import { changedRows, Rows } from "./rows.ts";
import { fieldsOf, type Goal, headersOf, JSON_TYPE, nameOf, pathOf, poolOf } from "./shots.ts";
import type { Stage } from "./walk.ts";
import { type Answer, bytesOf, type Shot } from "./wire.ts";
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
type Place = { goal: Goal; field: keyof typeof FIELDS | null; caller: "stranger" | "team"; id: string };

/** Returns an ID of the same form that does not exist. */
const madeUp = (id: string) => id.replace(/[^_]+$/, (end) => "0".repeat(end.length));

/** Lists every place in a request where a caller can name a row of the provider. */
function placesOf(goals: readonly Goal[], world: World): Place[] {
  const { own, personal } = world.tenants;
  return goals.flatMap((goal) => {
    if (goal.kind !== "call") return [];
    const body = Object.keys(fieldsOf(goal, world, 0) ?? {}).concat(OPTIONAL[nameOf(goal)] ?? []);
    const named = body.filter((name) => name in FIELDS) as (keyof typeof FIELDS)[];
    const inPath = /:(id|leadId|providerId)$|:id\//.test(goal.path) && poolOf(goal) in own ? [null] : [];
    return [...inPath, ...named].flatMap((field) => {
      const pool = (field ? FIELDS[field] : poolOf(goal)) as keyof typeof own;
      const callers = personal.includes(pool) ? (["stranger", "team"] as const) : (["stranger"] as const);
      return callers.map((caller) => ({ goal, field, caller, id: own[pool] }));
    });
  });
}

function shotOf({ goal, field, caller }: Place, id: string, world: World, origin: string): Shot {
  const body = fieldsOf(goal, world, 0);
  const text = body && JSON.stringify(field ? { ...body, [field]: id } : body);
  // If the ID is in the body, the path names one of the caller's own rows.
  const ownId = goal.path.includes("lead-purchases") ? world.tenants.rivalPurchase : null;
  return {
    method: goal.method,
    path: pathOf(goal, world, 0, field ? ownId : id),
    headers: { ...headersOf(world, caller, origin), ...(text && { "Content-Type": JSON_TYPE }) },
    body: text && bytesOf(text),
  };
}

/** Headers that differ between two responses to the same request. */
const OWN_HEADERS = new Set(["x-request-id", "x-attack-rows", "date"]);

/** Returns what a caller sees of a response, and which tables changed, without the row's ID and the request ID. */
function seen({ status, headers, body, rows }: Answer, id: string): string {
  const shown = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
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
const QUIET_MS = 400;

/**
 * Requests every row of the provider as another provider, and personal rows also as a member of the provider's team.
 *
 * @returns the number of requests sent
 */
export async function nameForeignRows(stage: Stage, goals: readonly Goal[] = stage.goals): Promise<number> {
  const { target, world, judge } = stage;
  await world.renew();
  await after(QUIET_MS);
  const rows = new Rows(target.folder);
  let sent = 0;
  for (const place of placesOf(goals, world)) {
    const { goal, caller, field, id } = place;
    const [name, as] = [nameOf(goal), caller as CallerKind];
    const where = `${name}${field ? ` {${field}}` : ""} as ${caller}`;
    const before = rows.read();
    const real = await ask(stage, name, as, shotOf(place, id, world, target.url));
    const foreign = changedRows(before, rows.read()).filter((row) => !isOwn(row, world, caller));
    const none = await ask(stage, name, as, shotOf(place, madeUp(id), world, target.url));
    sent += 2;
    if (!real || !none) continue;
    const [got, expected] = [seen(real, id), seen(none, madeUp(id))];
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
