/**
 * Requests every route and page as each caller and from other sites, and compares the responses with the access table.
 */
import type { Judge } from "./judge.ts";
import type { Target } from "./product.ts";
import { type Endpoint, nameOf, buildValidRequest } from "./requests.ts";
import { sendAndJudge } from "./send-and-judge.ts";
import { hashesOf } from "./costs.ts";
import type { HttpClient } from "./wire.ts";
import { CALLERS, type CallerKind } from "./people.ts";
import { allowedCallers, RIGHTS } from "./rights.ts";
import type { World } from "./world.ts";

export type AttackContext = {
  target: Target;
  wire: HttpClient;
  world: World;
  judge: Judge;
  endpoints: readonly Endpoint[];
  /** Otherwise only some callers request each route and page, and each change comes from only one foreign site. */
  isThorough: boolean;
};

/**
 * Returns the callers of a short run: the rival, if the table permits it, and in turn one of the callers that the table
 * permits and one that it refuses. `worker/roles.test.ts` proves the API's rights, and the weekly
 * attack sends everything as each caller.
 *
 * @param turn the endpoint's number
 */
function sampleCallers(endpoint: Endpoint, turn: number): CallerKind[] {
  const allowed = allowedCallers(nameOf(endpoint));
  const refused = CALLERS.filter((one) => !allowed.includes(one));
  const chosen = [allowed, refused].map((list) => list[turn % list.length]);
  if (allowed.includes("stranger")) chosen.push("stranger");
  // In a short run only the provider sends passwords.
  if (hashesOf(nameOf(endpoint)) > 0) chosen.push("provider");
  return CALLERS.filter((one) => chosen.includes(one));
}

/**
 * Sends valid requests to every route and page as each caller.
 *
 * @param options.isSampled whether only some callers request each route and page, as in a short run
 * @returns the number of requests sent
 */
export async function requestEverything(
  context: AttackContext,
  { only = context.endpoints, isSampled = false }: { only?: readonly Endpoint[]; isSampled?: boolean } = {},
): Promise<number> {
  const { target, world, judge, isThorough } = context;
  // Callers to renew: an earlier request may have signed them out or used up their data.
  const callersToRenew = new Set<CallerKind>(CALLERS);
  let sent = 0;
  for (const [turn, endpoint] of only.entries()) {
    for (const caller of isSampled ? sampleCallers(endpoint, turn) : CALLERS) {
      if (callersToRenew.delete(caller)) await world.renew([caller]);
      const validRequest = buildValidRequest(endpoint, world, caller, target.url, sent);
      // Hash passwords for only one or two callers: the gates refuse the others before that.
      const hashing = isThorough ? ["visitor", "provider"] : ["provider"];
      const isSpared = hashesOf(nameOf(endpoint)) > 0 && !hashing.includes(caller);
      const request = isSpared ? { ...validRequest, body: "{}" } : validRequest;
      const response = await sendAndJudge(context, nameOf(endpoint), caller, request);
      sent += 1;
      // A change can also end the sessions of the provider's team, and of an admin who impersonates the provider.
      if (endpoint.method !== "GET" && (response?.status ?? 0) < 400)
        for (const one of [caller, "team", "impersonating"] as const) callersToRenew.add(one);
      if (response) judge.checkAccess(nameOf(endpoint), caller, response);
    }
  }
  return sent;
}

/** Headers of requests from other sites. */
function foreignHeaders(own: string): Record<string, string>[] {
  const { port } = new URL(own);
  return [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: `https://127.0.0.1:${port}` },
    { Origin: `http://127.0.0.1:${Number(port) + 1}` },
    { Origin: `http://127.0.0.1.evil.example:${port}` },
    { Origin: `http://evil.example@127.0.0.1:${port}` },
    { Origin: `${own}.evil.example` },
    { Origin: `${own}/` },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
  ];
}

/** Stripe's webhook is authenticated by its signature, from any origin. */
const SIGNED = "POST /api/stripe/webhook";

/**
 * Sends every changing request from other sites, with a permitted caller's session.
 *
 * @returns the number of requests sent
 */
export async function sendCrossOrigin(context: AttackContext): Promise<number> {
  const { target, world, judge, endpoints, isThorough } = context;
  const sites = foreignHeaders(target.url);
  const sampleSites = (turn: number) => sites.filter((_, i) => isThorough || i === turn % sites.length);
  let sent = 0;
  await world.renew();
  for (const [turn, endpoint] of endpoints.filter(({ method }) => method !== "GET").entries()) {
    if (nameOf(endpoint) === SIGNED) continue;
    const caller = RIGHTS.get(nameOf(endpoint))?.includes("provider") === false ? "admin" : "provider";
    const { Origin: _, ...own } = buildValidRequest(endpoint, world, caller, target.url).headers;
    for (const foreign of sampleSites(turn)) {
      const request = {
        ...buildValidRequest(endpoint, world, caller, target.url),
        headers: { ...own, ...foreign } as Record<string, string>,
      };
      const response = await sendAndJudge(context, nameOf(endpoint), caller, request);
      sent += 1;
      if (response && response.status !== 403) {
        const what = `answered ${response.status} with ${JSON.stringify(foreign)}`;
        judge.add({ kind: "access", where: `${nameOf(endpoint)} from another site`, what });
      }
    }
  }
  return sent;
}
