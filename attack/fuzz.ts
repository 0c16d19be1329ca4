/** Thousands of malformed requests, reproducible by seed. */
import * as fc from "fast-check";

import { API_ROUTES } from "../testing/routes/api.ts";
import { sendAndJudge } from "./send-and-judge.ts";
import { allowedCpuMs, hashesOf } from "./costs.ts";
import {
  CONTENT_TYPES,
  oddBody,
  ODD_COOKIES,
  ODD_HEADERS,
  ODD_SEGMENTS,
  oddText,
  oddValue,
  PARAMETERS,
  ESCALATED_RIGHTS,
} from "./odd.ts";
import {
  fieldsOf,
  FORM_TYPE,
  formText,
  type Endpoint,
  headersOf,
  JSON_TYPE,
  nameOf,
  pathOf,
} from "./requests.ts";
import { valuesOf } from "./schema-values.ts";
import type { AttackContext } from "./walk.ts";
import { bytesOf, type AttackRequest } from "./wire.ts";
import { CALLERS } from "./people.ts";
import type { World } from "./world.ts";

/** Generates a value in a given percentage of cases, otherwise null. */
function optional<T>(percent: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: percent, arbitrary }, { weight: 100 - percent, arbitrary: fc.constant(null) });
}

const bodyPlan = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("proper" as const) }) },
  // Some fields have other values, by the contract's schema or of any kind.
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("changed" as const), seed: fc.nat(), isOdd: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("claim rights" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("odd" as const), text: oddBody }) },
);

const planned = fc.record({
  goal: fc.nat(9_999),
  caller: fc.constantFrom(...CALLERS),
  pick: fc.nat(9_999),
  segment: optional(10, fc.constantFrom(...ODD_SEGMENTS)),
  query: optional(
    25,
    fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), oddText), { minLength: 1, maxLength: 4 }),
  ),
  body: bodyPlan,
  type: optional(12, fc.constantFrom(...CONTENT_TYPES)),
  headers: optional(20, fc.constantFrom(...ODD_HEADERS)),
  cookie: optional(8, fc.constantFrom(...ODD_COOKIES)),
  method: optional(
    5,
    fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "PURGE"),
  ),
  isChunked: optional(10, fc.constant(true)),
});
type Plan = typeof planned extends fc.Arbitrary<infer Value> ? Value : never;

/** The proxy in front of a Worker truncates longer parameters. */
const MAX_PARAMETER_LENGTH = 3_000;

function encoded(text: string): string {
  return encodeURIComponent(text.slice(0, MAX_PARAMETER_LENGTH).toWellFormed());
}

function queryText(query: Plan["query"]): string {
  return query ? `?${query.map(([name, value]) => `${name}=${encoded(value)}`).join("&")}` : "";
}

/** Returns other values for some fields of a body. A page's form has no schema, so its values are of any kind. */
function otherFields(endpoint: Endpoint, names: string[], seed: number, isOdd: boolean): object {
  const schema = API_ROUTES[nameOf(endpoint)]?.schema;
  const fields = fc.record(Object.fromEntries(names.map((name) => [name, oddValue])), { requiredKeys: [] });
  const added = fc.dictionary(fc.string({ maxLength: 30 }), oddValue, { maxKeys: 1 });
  const odd = fc.tuple(fields, added).map(([one, other]) => ({ ...one, ...other }));
  return fc.sample(schema && !isOdd ? valuesOf(schema) : odd, { seed, numRuns: 1 })[0] as object;
}

/** @returns null for a request without a body */
function fieldsByPlan(
  endpoint: Endpoint,
  valid: Record<string, unknown> | null,
  body: Plan["body"],
): object | null {
  if (body.kind === "claim rights") return { ...valid, ...ESCALATED_RIGHTS };
  if (body.kind !== "changed") return valid;
  return { ...valid, ...otherFields(endpoint, Object.keys(valid ?? {}), body.seed, body.isOdd) };
}

function bodyOf(endpoint: Endpoint, plan: Plan, world: World): string | null {
  const validFields = fieldsOf(endpoint, world, plan.pick);
  if (endpoint.method === "GET") return null;
  // Skip most bodies that would hash a password: hashing is slow and does not depend on the rest of the input.
  const isSpared = plan.body.kind !== "odd" && hashesOf(nameOf(endpoint)) > 0 && plan.pick % 3 > 0;
  if (isSpared) return "{}";
  if (plan.body.kind === "odd") return plan.body.text;
  const fields = fieldsByPlan(endpoint, validFields, plan.body);
  if (fields === null) return null;
  return bytesOf(endpoint.kind === "page" ? formText({ ...fields }) : JSON.stringify(fields));
}

/** Builds one hostile request. */
function buildRequest(endpoint: Endpoint, plan: Plan, world: World, origin: string): AttackRequest {
  const body = bodyOf(endpoint, plan, world);
  const type = plan.type ?? (endpoint.kind === "page" ? FORM_TYPE : JSON_TYPE);
  const own = headersOf(world, plan.caller, origin);
  if (plan.cookie !== null) own.Cookie = [own.Cookie, plan.cookie].filter(Boolean).join("; ");
  return {
    method: plan.method ?? endpoint.method,
    path: pathOf(endpoint, world, plan.pick, plan.segment) + queryText(plan.query),
    headers: { ...own, ...(body !== null && { "Content-Type": type }), ...plan.headers },
    body,
    ...(plan.isChunked && { isChunked: true }),
  };
}

type CostlyRequest = { where: string; cpuMs: number };

/**
 * Measures a request again if its first measurement exceeded the limit. Returns the minimum of four, since the runtime
 * may compile or collect garbage at any time.
 */
async function confirmedCost(
  { wire }: AttackContext,
  request: AttackRequest,
  first: number,
): Promise<number> {
  let least = first;
  for (let i = 0; i < 3; i++) {
    // Without a response in time, use the earlier measurement.
    const again = await wire.send(request).catch(() => null);
    least = Math.min(least, again?.cpuMs ?? least);
  }
  return least;
}

const RENEWED_EVERY = 250;

/** @param hashMs time to hash one password on this machine */
type FuzzOptions = {
  seed: number;
  requests: number;
  only: number | null;
  hashMs: number;
  until: number;
};

export type FuzzResult = { sent: number; cpu: CostlyRequest[]; isCutShort: boolean };

/** Sends hostile requests, one after another. */
export async function fuzz(context: AttackContext, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, requests, only, hashMs, until } = options;
  const { target, world, judge, endpoints } = context;
  const plans = fc.sample(planned, { seed, numRuns: requests });
  const cpu: CostlyRequest[] = [];
  let sent = 0;
  for (const [i, plan] of plans.entries()) {
    if (only !== null && i !== only) continue;
    if (performance.now() > until) return { sent, cpu, isCutShort: true };
    if (i % RENEWED_EVERY === 0) await world.renew();
    const endpoint = endpoints[plan.goal % endpoints.length]!;
    const request = buildRequest(endpoint, plan, world, target.url);
    const replay = `--seed=${seed} --requests=${requests} --only=${i}`;
    if (only !== null) console.log(JSON.stringify(request, null, 2));
    const response = await sendAndJudge(context, nameOf(endpoint), plan.caller, request, replay);
    sent += 1;
    if (!response) continue;
    if (response.status === 401 && plan.caller !== "visitor") await world.renew([plan.caller]);
    const where = `${nameOf(endpoint)} as ${plan.caller}`;
    const limit = allowedCpuMs(nameOf(endpoint), hashMs);
    const cpuMs =
      response.cpuMs > limit ? await confirmedCost(context, request, response.cpuMs) : response.cpuMs;
    cpu.push({ where, cpuMs });
    if (cpuMs > limit) judge.add({ kind: "cost", where, what: `${cpuMs.toFixed(0)} ms of CPU`, replay });
  }
  return { sent, cpu, isCutShort: false };
}
