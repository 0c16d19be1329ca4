/** Requests every route and page as each of the six callers and from other sites, and checks the gates. */
import type { Judge } from "./judge.ts";
import type { Target } from "./product.ts";
import type { Gate } from "./routes.ts";
import { type Goal, nameOf, properShot } from "./shots.ts";
import { ask } from "./ask.ts";
import { hashesOf } from "./costs.ts";
import type { Wire } from "./wire.ts";
import { CALLERS, type CallerKind } from "./people.ts";
import type { World } from "./world.ts";

export type Stage = {
  target: Target;
  wire: Wire;
  world: World;
  judge: Judge;
  goals: readonly Goal[];
  /** Otherwise callers alternate between a page's two forms, and goals between the foreign sites. */
  isThorough: boolean;
};

/** The status with which each gate refuses each caller. */
const STOPPED: Readonly<Record<Gate, Partial<Record<CallerKind, number>>>> = {
  anyone: {},
  signedIn: { visitor: 401 },
  signedInWithAnyPassword: { visitor: 401 },
  business: { visitor: 401, customer: 403 },
  socket: { visitor: 401, customer: 403 },
  owner: { visitor: 401, customer: 403, team: 403 },
  superAdmin: { visitor: 401, customer: 403, provider: 403, stranger: 403, team: 403 },
};

/** Admin pages also refuse by their status. */
const ADMIN_PAGES = STOPPED.superAdmin;

function expectedStop(goal: Goal, caller: CallerKind): number | null {
  if (goal.kind === "call") return STOPPED[goal.gate][caller] ?? null;
  const isAdminPage = goal.path === "/admin" || goal.path.startsWith("/admin/");
  return isAdminPage ? (ADMIN_PAGES[caller] ?? null) : null;
}

/** @returns how many requests were sent */
export async function walkEverything(stage: Stage): Promise<number> {
  const { target, world, judge, goals, isThorough } = stage;
  // Callers to renew: a change may have signed them out or used up what they had.
  const restless = new Set<CallerKind>(CALLERS);
  let sent = 0;
  for (const goal of goals) {
    for (const [turn, caller] of CALLERS.entries()) {
      const isOthersTurn = goal.kind === "page" && goal.isData !== (turn % 2 === 0);
      if (isOthersTurn && !isThorough) continue;
      if (restless.delete(caller)) await world.renew([caller]);
      const proper = properShot(goal, world, caller, target.url, sent);
      // Hash passwords for only one or two of the six: the gates refuse the others before that.
      const hashing = isThorough ? ["visitor", "provider"] : ["provider"];
      const isSpared = hashesOf(nameOf(goal)) > 0 && !hashing.includes(caller);
      const shot = isSpared ? { ...proper, body: "{}" } : proper;
      const answer = await ask(stage, nameOf(goal), caller, shot);
      sent += 1;
      if (goal.method !== "GET" && (answer?.status ?? 0) < 400) restless.add(caller);
      const expected = expectedStop(goal, caller);
      if (answer && expected !== null && answer.status !== expected) {
        const what = `answered ${answer.status}, not ${expected}`;
        judge.add({ kind: "access", where: `${nameOf(goal)} as ${caller}`, what });
      }
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
 * Sends every changing request from another site, with the session of a caller who has the right.
 *
 * @returns requests
 */
export async function crossOrigins(stage: Stage): Promise<number> {
  const { target, world, judge, goals, isThorough } = stage;
  const sites = foreignHeaders(target.url);
  const someSites = (turn: number) => sites.filter((_, i) => isThorough || i % 4 === turn % 4);
  let sent = 0;
  await world.renew();
  for (const [turn, goal] of goals.filter(({ method }) => method !== "GET").entries()) {
    if (nameOf(goal) === SIGNED) continue;
    const caller = goal.kind === "call" && goal.gate === "superAdmin" ? "admin" : "provider";
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
