/**
 * Requests every route and page as each caller and from other sites, and compares the responses with the access table.
 */
import type { Judge } from "./judge.ts";
import type { Target } from "./product.ts";
import { type Goal, nameOf, properShot } from "./shots.ts";
import { ask } from "./ask.ts";
import { hashesOf } from "./costs.ts";
import type { Wire } from "./wire.ts";
import { CALLERS, type CallerKind } from "./people.ts";
import { RIGHTS } from "./rights.ts";
import type { World } from "./world.ts";

export type Stage = {
  target: Target;
  wire: Wire;
  world: World;
  judge: Judge;
  goals: readonly Goal[];
  /** Otherwise each caller requests only some pages, and each route is called from only some foreign sites. */
  isThorough: boolean;
};

/**
 * In a short run, each caller requests one in this many pages. Two callers request each page, as a document and as
 * data.
 */
const PAGE_TURNS = 3;

/** Sends valid requests to every route and page as each caller. @returns the number of requests sent */
export async function walkEverything(stage: Stage, only: readonly Goal[] = stage.goals): Promise<number> {
  const { target, world, judge, isThorough } = stage;
  // Callers to renew: an earlier request may have signed them out or used up their data.
  const restless = new Set<CallerKind>(CALLERS);
  let sent = 0;
  for (const [place, goal] of only.entries()) {
    for (const [turn, caller] of CALLERS.entries()) {
      const isOthersTurn = goal.kind === "page" && (place + turn) % PAGE_TURNS > 0;
      if (isOthersTurn && !isThorough) continue;
      if (restless.delete(caller)) await world.renew([caller]);
      const proper = properShot(goal, world, caller, target.url, sent);
      // Hash passwords for only one or two callers: the gates refuse the others before that.
      const hashing = isThorough ? ["visitor", "provider"] : ["provider"];
      const isSpared = hashesOf(nameOf(goal)) > 0 && !hashing.includes(caller);
      const shot = isSpared ? { ...proper, body: "{}" } : proper;
      const answer = await ask(stage, nameOf(goal), caller, shot);
      sent += 1;
      // A change can also end the sessions of the provider's team, and of an admin who impersonates the provider.
      if (goal.method !== "GET" && (answer?.status ?? 0) < 400)
        for (const one of [caller, "team", "impersonating"] as const) restless.add(one);
      if (answer) judge.checkAccess(nameOf(goal), caller, answer);
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
export async function crossOrigins(stage: Stage): Promise<number> {
  const { target, world, judge, goals, isThorough } = stage;
  const sites = foreignHeaders(target.url);
  const someSites = (turn: number) => sites.filter((_, i) => isThorough || i % 4 === turn % 4);
  let sent = 0;
  await world.renew();
  for (const [turn, goal] of goals.filter(({ method }) => method !== "GET").entries()) {
    if (nameOf(goal) === SIGNED) continue;
    const caller = RIGHTS.get(nameOf(goal))?.includes("provider") === false ? "admin" : "provider";
    const { Origin: _, ...own } = properShot(goal, world, caller, target.url).headers;
    for (const foreign of someSites(turn)) {
      const shot = {
        ...properShot(goal, world, caller, target.url),
        headers: { ...own, ...foreign } as Record<string, string>,
      };
      const answer = await ask(stage, nameOf(goal), caller, shot);
      sent += 1;
      if (answer && answer.status !== 403) {
        const what = `answered ${answer.status} with ${JSON.stringify(foreign)}`;
        judge.add({ kind: "access", where: `${nameOf(goal)} from another site`, what });
      }
    }
  }
  return sent;
}
