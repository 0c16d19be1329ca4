/**
 * Reconnect: a deploy drops every window, and all of them reconnect at once while buyers continue to claim.
 * Measures the time from the end of the restart to the last window's greeting, and the effect on claims.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { show } from "./claims.ts";
import { Client, openWindow, type Shot, type Window } from "./client.ts";
import { figure, median, percentile, type Row, verdict } from "./figures.ts";
import { processorMs } from "./memory.ts";
import { type Product, startFloor, startProduct } from "./runtime.ts";
import { listLeads, type Provider, REGION, signUp } from "./world.ts";
import { migrate } from "../testing/product/read-build.ts";

/** Target: windows accepted per second. */
const AIM = 1_500;
const WINDOWS_EACH = 8;
/** Upgrades in flight. The clients skip the random delay that browsers add. */
const AT_ONCE = 250;
const CLAIMS_AT_ONCE = 10;
/** Claims per buyer and run, below the rate limit for scripts. */
const CLAIMS_EACH = 8;
const CROWD = 20;

/** Maximum attempts for a window that loses its connection while reconnecting. It backs off, as browsers do. */
const MAX_TRIES = 5;
const WAIT_MS = 100;

type TakenIn = { windows: Window[]; perSecond: number; microseconds: number; cutOff: number };

/** Opens windows as fast as the server accepts them. Also measures the runtime's CPU time per window. */
async function takeIn(pid: number, count: number, open: (i: number) => Promise<Window>): Promise<TakenIn> {
  const windows: Window[] = [];
  let [next, cutOff] = [0, 0];
  async function comeBack(i: number, tries = 1): Promise<Window> {
    try {
      return await open(i);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNRESET" || tries === MAX_TRIES) throw error;
      cutOff += 1;
      await wait(tries * WAIT_MS);
      return comeBack(i, tries + 1);
    }
  }
  const usedBefore = processorMs(pid) ?? NaN;
  async function takeTurns(): Promise<void> {
    while (next < count) windows.push(await comeBack(next++));
  }
  const started = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  const perSecond = (count / (performance.now() - started)) * 1000;
  const microseconds = (((processorMs(pid) ?? NaN) - usedBefore) / count) * 1000;
  return { windows, perSecond, microseconds, cutOff };
}

function close(windows: readonly Window[]): void {
  for (const { socket } of windows) {
    socket.removeAllListeners("error");
    socket.on("error", () => {});
    socket.destroy();
  }
}

/** Returns claims for leads by crowds of buyers. Each buyer claims a lead at most once. */
function claimsOf(url: string, leads: readonly string[], buyers: readonly Provider[]): Shot[] {
  return leads.flatMap((leadId, lead) =>
    Array.from({ length: CROWD }, (_, i) => {
      const { cookie } = buyers[(lead * CROWD + i) % buyers.length]!;
      return {
        path: "/api/create-payment-intent",
        headers: { "Content-Type": "application/json", Origin: url, Cookie: cookie },
        body: JSON.stringify({ leadId, amount: LEAD_PRICE_CENTS }),
      };
    }),
  );
}

/** Sends claims until `isOver`, or until there are none left. @returns each response's time */
async function claimWhile(client: Client, shots: Shot[], isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  async function takeTurns(): Promise<void> {
    for (let shot = shots.shift(); shot && !isOver(); shot = shots.shift()) {
      const { status, ms } = await client.send(shot);
      if (status !== 200 && status !== 409) throw new Error(`A claim was answered ${status}`);
      times.push(ms);
    }
  }
  await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, takeTurns));
  return times;
}

/** Returns a function that opens a provider's windows, which resume from this cursor. */
function windowOf(product: Product, watchers: readonly Provider[], since: string) {
  return (i: number) => {
    const { cookie } = watchers[i % watchers.length]!;
    const path = `/api/exchange/${REGION}/live${since && `?since=${encodeURIComponent(since)}`}`;
    return openWindow(product.url, path, { Cookie: cookie, Origin: product.url }, true);
  };
}

/** Returns a greeting's cursor. */
function placeOf(greeting: string): string {
  const [, epoch] = /"epoch":"([^"]+)"/.exec(greeting) ?? [];
  const [, seq] = /"seq":(\d+)/.exec(greeting) ?? [];
  const [, at] = /"at":(\d+)/.exec(greeting) ?? [];
  return [epoch, seq, at].filter(Boolean).join(":");
}

type Measured = { first: TakenIn; alone: TakenIn; again: TakenIn; quiet: number[]; meanwhile: number[] };

/** Opens the windows, restarts the product with its stored state, and reconnects all windows. */
async function deployOnce(vars: Record<string, string>, count: number): Promise<Measured> {
  const persist = mkdtempSync(join(tmpdir(), "naturestrip-reconnect-"));
  const before = await startProduct(vars, { persist });
  await migrate(before.d1);
  const watchers = await signUp(before, Math.ceil(count / WINDOWS_EACH));
  await listLeads(before, CROWD);
  const first = await takeIn(before.pid, count, windowOf(before, watchers, ""));
  const since = placeOf(first.windows[0]!.greeting);
  close(first.windows);
  await before.stop();

  const product = await startProduct(vars, { persist });
  const client = new Client(product.url, CLAIMS_AT_ONCE);
  const buyers = await signUp(product, 600);
  const halves = [buyers.slice(0, 300), buyers.slice(300)] as const;
  const shotsOf = async (some: readonly Provider[]) =>
    claimsOf(product.url, await listLeads(product, (some.length * CLAIMS_EACH) / CROWD), some);
  for (const { cookie } of buyers) await show(client, cookie);
  const [forQuiet, forMeanwhile] = [await shotsOf(halves[0]), await shotsOf(halves[1])];
  const quiet = await claimWhile(client, forQuiet.slice(0, 1_000), () => false);
  // First without other load, to measure the cost of a window. Then all windows disconnect and reconnect.
  const alone = await takeIn(product.pid, count, windowOf(product, watchers, since));
  close(alone.windows);
  let isOver = false;
  const [again, meanwhile] = await Promise.all([
    takeIn(product.pid, count, windowOf(product, watchers, since)).finally(() => (isOver = true)),
    claimWhile(client, forMeanwhile, () => isOver),
  ]);
  close(again.windows);
  client.close();
  await product.stop();
  rmSync(persist, { recursive: true, force: true });
  return { first, alone, again, quiet, meanwhile };
}

/** Opens the same number of windows on a bare object without other load. */
async function floorOnce(count: number): Promise<TakenIn> {
  const floor = await startFloor();
  const taken = await takeIn(floor.pid, count, () => openWindow(floor.url, "/live", {}, false));
  close(taken.windows);
  await floor.stop();
  return taken;
}

const of = (figures: number[]) => figure(median(figures));

/**
 * Measures a deploy with open windows, alternating between the product and the baseline.
 *
 * @param sizes number of windows and of runs
 */
export async function measureReconnect(
  vars: Record<string, string>,
  sizes: { windows: number; rounds: number },
): Promise<Row[]> {
  const [ours, theirs]: [Measured[], TakenIn[]] = [[], []];
  for (let round = 0; round < sizes.rounds; round++) {
    ours.push(await deployOnce(vars, sizes.windows));
    theirs.push(await floorOnce(sizes.windows));
  }
  const alone = median(ours.map((one) => one.alone.perSecond));
  const p99 = (times: (one: Measured) => number[]) => of(ours.map((one) => percentile(times(one), 0.99)));
  return [
    {
      windows: sizes.windows.toLocaleString("en-AU"),
      "first opened/s": of(ours.map(({ first }) => first.perSecond)),
      "back/s": figure(alone),
      "with claims/s": of(ours.map(({ again }) => again.perSecond)),
      "cut off": of(ours.map(({ alone: one, again }) => one.cutOff + again.cutOff)),
      "floor/s": of(theirs.map(({ perSecond }) => perSecond)),
      [`aim ≥ ${AIM}/s`]: verdict(alone >= AIM),
      "µs first": of(ours.map(({ first }) => first.microseconds)),
      "µs back": of(ours.map(({ alone: one }) => one.microseconds)),
      "floor µs": of(theirs.map(({ microseconds }) => microseconds)),
      "claims p99 quiet ms": p99(({ quiet }) => quiet),
      "during claims ms": p99(({ meanwhile }) => meanwhile),
    },
  ];
}
