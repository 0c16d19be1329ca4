/**
 * A deploy drops every window: all of them come back at once while buyers go on claiming. Measured from the
 * restart being over to the last window having been greeted, and what that does to claims.
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

/** Windows taken in a second, at least. */
const AIM = 1_500;
const WINDOWS_EACH = 8;
/** So many upgrades are under way at any moment; the browsers' own spread is left out. */
const AT_ONCE = 250;
const CLAIMS_AT_ONCE = 10;
/** A buyer claims so often in a run: below the limit for scripts. */
const CLAIMS_EACH = 8;
const CROWD = 20;

/** A window that is cut off while it comes back tries again so often, as browsers do, each time later. */
const MOST_TRIES = 5;
const WAIT_MS = 100;

type TakenIn = { windows: Window[]; perSecond: number; microseconds: number; cutOff: number };

/** Opens windows as fast as they are let in. @returns with it what the runtime's processor did for each */
async function takeIn(pid: number, count: number, open: (i: number) => Promise<Window>): Promise<TakenIn> {
  const windows: Window[] = [];
  let [next, cutOff] = [0, 0];
  async function comeBack(i: number, tries = 1): Promise<Window> {
    try {
      return await open(i);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNRESET" || tries === MOST_TRIES) throw error;
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

/** Claims of leads by crowds of buyers, each buyer every lead at most once. */
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

/** Claims for as long as something else goes on, or until there are none left. @returns each answer's time */
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

/** A provider's windows, told by their greeting where to go on from. */
function windowOf(product: Product, watchers: readonly Provider[], since: string) {
  return (i: number) => {
    const { cookie } = watchers[i % watchers.length]!;
    const path = `/api/exchange/${REGION}/live${since && `?since=${encodeURIComponent(since)}`}`;
    return openWindow(product.url, path, { Cookie: cookie, Origin: product.url }, true);
  };
}

/** Where a greeting says its window is. */
function placeOf(greeting: string): string {
  const [, epoch] = /"epoch":"([^"]+)"/.exec(greeting) ?? [];
  const [, seq] = /"seq":(\d+)/.exec(greeting) ?? [];
  const [, at] = /"at":(\d+)/.exec(greeting) ?? [];
  return [epoch, seq, at].filter(Boolean).join(":");
}

type Measured = { first: TakenIn; alone: TakenIn; again: TakenIn; quiet: number[]; meanwhile: number[] };

/** Opens the windows, starts the product anew on what it has stored, and lets everybody come back. */
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
  // Once with nothing else going on, for what a window costs; then all of them leave and come back again.
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

/** The same number of windows on a bare object, with nothing else to do. */
async function floorOnce(count: number): Promise<TakenIn> {
  const floor = await startFloor();
  const taken = await takeIn(floor.pid, count, () => openWindow(floor.url, "/live", {}, false));
  close(taken.windows);
  await floor.stop();
  return taken;
}

const of = (figures: number[]) => figure(median(figures));

/**
 * A deploy with so many windows open, product and floor in turn.
 * @param sizes how many windows, and how often
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
      "meanwhile ms": p99(({ meanwhile }) => meanwhile),
    },
  ];
}
