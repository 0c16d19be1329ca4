/**
 * Claims: providers click the same lead at the same moment. The product does all its work: origin, session,
 * rights, limits, body, exchange rules, ledger and the winner's payment. The baseline does one insert.
 */
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { Client, type TimedResponse, type BenchRequest } from "./client.ts";
import { figure, median, percentile, type Row, verdict } from "./figures.ts";
import type { Floor, Product } from "./runtime.ts";
import { listLeads, type Provider, signUp } from "./world.ts";

const TARGET_RATIO = 0.7;

/** The result of several races: responses per second over the whole run, and each response's time in ms. */
type Run = { perSecond: number; times: number[] };

/**
 * Runs one race after another, with `atOnce` claims in flight. Each response starts the next claim, for the
 * same lead until all its claims are sent.
 *
 * @param shots the claims of each race
 * @throws if a race does not have exactly one winner
 */
async function race(client: Client, shots: readonly BenchRequest[][], atOnce: number): Promise<Run> {
  const queue = shots.flatMap((crowd, race) => crowd.map((shot) => ({ shot, race })));
  const wins = shots.map(() => 0);
  const times: number[] = [];
  let next = 0;
  async function sendNextClaims(): Promise<void> {
    while (next < queue.length) {
      const { shot, race } = queue[next++]!;
      const { status, ms } = await client.send(shot);
      if (status === 200) wins[race]! += 1;
      else if (status !== 409) throw new Error(`A claim returned ${status}`);
      times.push(ms);
    }
  }
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, sendNextClaims));
  const elapsed = performance.now() - started;
  if (wins.some((count) => count !== 1)) throw new Error(`Winners per race: ${wins.join(" ")}`);
  return { perSecond: (queue.length / elapsed) * 1000, times };
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** Sends the request that a provider's window sends when it opens. */
export function loadWindow(client: Client, cookie: string): Promise<TimedResponse> {
  return client.send({ path: "/api/auth/me", headers: { Cookie: cookie }, body: "" }, "GET");
}

/** Ends the winners' holds, so that those providers can win again. */
export async function releaseSlots({ d1 }: Product): Promise<void> {
  await d1.prepare("UPDATE payments SET slot = NULL, state = 'cancelled' WHERE slot IS NOT NULL").run();
}

/** Races claims against the product. Every provider has just opened a window, as in real use. */
async function raceProduct(
  product: Product,
  providers: readonly Provider[],
  crowd: number,
  client: Client,
): Promise<Run> {
  const races = Math.floor(providers.length / crowd);
  const leads = await listLeads(product, races);
  const taken = providers.slice(0, races * crowd);
  for (let i = 0; i < taken.length; i += 50)
    await Promise.all(taken.slice(i, i + 50).map(({ cookie }) => loadWindow(client, cookie)));
  const shots = leads.map((leadId, i) =>
    taken.slice(i * crowd, (i + 1) * crowd).map(({ cookie }) => ({
      path: "/api/create-payment-intent",
      headers: { ...JSON_TYPE, Origin: product.url, Cookie: cookie },
      body: JSON.stringify({ leadId, amount: LEAD_PRICE_CENTS }),
    })),
  );
  const run = await race(client, shots, crowd);
  await releaseSlots(product);
  return run;
}

let floorLeads = 0;

function raceFloor(races: number, crowd: number, client: Client): Promise<Run> {
  const first = floorLeads;
  floorLeads += races;
  const shots = Array.from({ length: races }, (_, i) =>
    Array.from({ length: crowd }, (_, n) => ({
      path: "/claim",
      headers: JSON_TYPE,
      body: JSON.stringify({ leadId: `lead_${first + i}`, businessId: `user_${n}` }),
    })),
  );
  return race(client, shots, crowd);
}

function rowOf(crowd: number, ours: readonly Run[], theirs: readonly Run[]): Row {
  const speed = (runs: readonly Run[]) => median(runs.map(({ perSecond }) => perSecond));
  const time = (runs: readonly Run[], share: number) =>
    median(runs.map(({ times }) => percentile(times, share)));
  const ratio = speed(ours) / speed(theirs);
  return {
    "at once": String(crowd),
    "claims/s": figure(speed(ours)),
    "floor/s": figure(speed(theirs)),
    ratio: `${(ratio * 100).toFixed(0)} %`,
    "p50 ms": figure(time(ours, 0.5)),
    "floor p50": figure(time(theirs, 0.5)),
    "p99 ms": figure(time(ours, 0.99)),
    "floor p99": figure(time(theirs, 0.99)),
    [`aim ≥ ${TARGET_RATIO * 100} %`]: verdict(ratio >= TARGET_RATIO),
  };
}

/**
 * Runs races of each size, alternating between the product and the baseline.
 *
 * @param sizes claims per run, number of runs, and how many providers claim one lead at once
 */
export async function measureClaims(
  product: Product,
  floor: Floor,
  sizes: { claims: number; rounds: number; crowds: readonly number[] },
): Promise<Row[]> {
  const { claims, rounds, crowds } = sizes;
  // Two halves take turns, so that no provider reaches the product's rate limit for scripts.
  const providers = await signUp(product, claims * 2);
  const [ours, theirs] = [product, floor].map(({ url }) => new Client(url, Math.max(...crowds)));
  const rows: Row[] = [];
  for (const crowd of crowds) {
    const runs: { ours: Run[]; theirs: Run[] } = { ours: [], theirs: [] };
    // The first round warms up the product and the baseline, and does not count.
    for (let round = 0; round <= rounds; round++) {
      const half = providers.slice((round % 2) * claims, (round % 2) * claims + claims);
      const mine = await raceProduct(product, half, crowd, ours!);
      const bare = await raceFloor(Math.floor(claims / crowd), crowd, theirs!);
      if (round === 0) continue;
      runs.ours.push(mine);
      runs.theirs.push(bare);
    }
    rows.push(rowOf(crowd, runs.ours, runs.theirs));
  }
  ours!.close();
  theirs!.close();
  return rows;
}
