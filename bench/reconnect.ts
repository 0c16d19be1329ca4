/**
 * Reconnect: a deploy drops every window, and all of them connect again at once. Measures three cases, each cold (the
 * server has just started) and warm. A bare object receives the same requests and sends the same bytes in the same run.
 */
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { loadWindow } from "./claims.ts";
import { Client, openWindow, type BenchRequest, type Window } from "./client.ts";
import { figure, median, percentile, type Row, verdict } from "./figures.ts";
import { processorMs } from "./memory.ts";
import { type Product, type Running, startFloor, startProduct } from "./runtime.ts";
import { listLeads, type Provider, REGION, signUp } from "./world.ts";
import { migrate } from "../testing/product/read-build.ts";

const WINDOWS_PER_PROVIDER = 8;
/** Upgrades in flight. The clients skip the random delay that browsers add. */
const MAX_PARALLEL = 250;
/** Leads on the market when the windows open for the first time. */
const LEADS = 20;
/** Leads that are listed while the windows are disconnected. */
const MISSED_LEADS = 240;
/** Closed sockets are processed within this time, so that they do not slow the next measurement down. */
const SETTLE_MS = 2_000;

const CLAIMS_AT_ONCE = 10;
/** Claims per buyer, below the rate limit for scripts. */
const CLAIMS_EACH = 8;
const CROWD = 20;
const BUYERS = 300;
const BASELINE_CLAIMS = 500;

/** Maximum attempts for a window that loses its connection while reconnecting. It backs off, as browsers do. */
const MAX_ATTEMPTS = 5;
const WAIT_MS = 100;

/** The speed of one crowd of windows, and the runtime's CPU time for each window. */
type Speed = { perSecond: number; microseconds: number };
type OpenWindow = (i: number) => Promise<Window>;

/** Opens windows as fast as the server accepts them, then closes them. */
async function openWindows(
  pid: number,
  count: number,
  open: OpenWindow,
): Promise<Speed & { greeting: string }> {
  const sockets: Socket[] = [];
  let [next, greeting] = [0, ""];
  async function connect(i: number, attempt = 1): Promise<Window> {
    try {
      return await open(i);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ECONNRESET" || attempt === MAX_ATTEMPTS) throw error;
      await wait(attempt * WAIT_MS);
      return connect(i, attempt + 1);
    }
  }
  async function openNextWindows(): Promise<void> {
    while (next < count) {
      const window = await connect(next++);
      sockets.push(window.socket);
      greeting ||= window.greeting;
    }
  }
  const usedBefore = processorMs(pid) ?? NaN;
  const started = performance.now();
  await Promise.all(Array.from({ length: MAX_PARALLEL }, openNextWindows));
  const perSecond = (count / (performance.now() - started)) * 1000;
  const microseconds = (((processorMs(pid) ?? NaN) - usedBefore) / count) * 1000;
  for (const socket of sockets) {
    socket.removeAllListeners("error");
    socket.on("error", () => {});
    socket.destroy();
  }
  await wait(SETTLE_MS);
  return { perSecond, microseconds, greeting };
}

/** Opens providers' windows. `since` is the cursor of a returning window, "" for a first opening. */
function opener({ url }: Running, watchers: readonly Provider[], since: string): OpenWindow {
  const path = `/api/exchange/${REGION}/live${since && `?since=${encodeURIComponent(since)}`}`;
  return (i) => openWindow(url, path, { Cookie: watchers[i % watchers.length]!.cookie, Origin: url }, true);
}

/** Returns a greeting's cursor. */
function cursorOf(greeting: string): string {
  const { epoch, seq } = JSON.parse(greeting) as { epoch: string; seq: number };
  return `${epoch}:${seq}`;
}

type ColdAndWarm = { cold: Speed; warm: Speed };

/** Takes the same windows in twice on a server that has just started, and stops it. */
async function measureServer(
  server: Running,
  count: number,
  open: OpenWindow,
): Promise<ColdAndWarm & { greeting: string }> {
  const { greeting, ...cold } = await openWindows(server.pid, count, open);
  const warm = await openWindows(server.pid, count, open);
  await server.stop();
  return { cold, warm, greeting };
}

/** One case, on the product and on the bare object. */
type Comparison = { product: ColdAndWarm; floor: ColdAndWarm; bytes: number };

const CASES = [
  { what: "returns, missed nothing", aim: 0.85 },
  { what: `returns, missed ${MISSED_LEADS} leads`, aim: 0.6 },
  { what: "opens for the first time", aim: 0.35 },
] as const;

/** Returns claims for leads by crowds of buyers. Each buyer claims a lead at most once. */
function claimsOf(url: string, leads: readonly string[], buyers: readonly Provider[]): BenchRequest[] {
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
async function claimUntil(client: Client, shots: BenchRequest[], isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  async function openNextWindows(): Promise<void> {
    for (let shot = shots.shift(); shot && !isOver(); shot = shots.shift()) {
      const { status, ms } = await client.send(shot);
      if (status !== 200 && status !== 409) throw new Error(`A claim returned ${status}`);
      times.push(ms);
    }
  }
  await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, openNextWindows));
  return times;
}

type ClaimTimes = { quiet: number[]; during: number[] };

/** Claims leads without windows, and then while windows return. */
async function measureClaimsDuringReconnect(
  product: Product,
  count: number,
  open: OpenWindow,
): Promise<ClaimTimes> {
  const client = new Client(product.url, CLAIMS_AT_ONCE);
  const buyers = await signUp(product, BUYERS);
  const buildClaims = async (some: readonly Provider[]) =>
    claimsOf(product.url, await listLeads(product, (some.length * CLAIMS_EACH) / CROWD), some);
  for (const { cookie } of buyers) await loadWindow(client, cookie);
  const [first, second] = [
    await buildClaims(buyers.slice(0, BUYERS / 2)),
    await buildClaims(buyers.slice(BUYERS / 2)),
  ];
  const quiet = await claimUntil(client, first.slice(0, BASELINE_CLAIMS), () => false);
  let isOver = false;
  const [during] = await Promise.all([
    claimUntil(client, second, () => isOver),
    openWindows(product.pid, count, open).finally(() => (isOver = true)),
  ]);
  client.close();
  await product.stop();
  return { quiet, during };
}

/** Measures every case once, each on a product that restarts with the same stored state. */
async function measureRound(
  vars: Record<string, string>,
  count: number,
): Promise<{ cases: Comparison[]; claims: ClaimTimes }> {
  const persist = mkdtempSync(join(tmpdir(), "naturestrip-reconnect-"));
  const start = () => startProduct(vars, { persist });
  const before = await start();
  await migrate(before.d1);
  const watchers = await signUp(before, Math.ceil(count / WINDOWS_PER_PROVIDER));
  await listLeads(before, LEADS);
  const { greeting } = await openWindows(before.pid, count, opener(before, watchers, ""));
  await before.stop();
  const since = cursorOf(greeting);

  async function compare(cursor: string): Promise<Comparison> {
    const server = await start();
    const product = await measureServer(server, count, opener(server, watchers, cursor));
    const bare = await startFloor(product.greeting);
    const floor = await measureServer(bare, count, opener(bare, watchers, cursor));
    return { product, floor, bytes: Buffer.byteLength(product.greeting) };
  }

  const nothing = await compare(since);
  const first = await compare("");
  const listing = await start();
  await listLeads(listing, MISSED_LEADS);
  await listing.stop();
  const missed = await compare(since);
  const server = await start();
  const claims = await measureClaimsDuringReconnect(server, count, opener(server, watchers, since));
  rmSync(persist, { recursive: true, force: true });
  return { cases: [nothing, missed, first], claims };
}

function caseRow(index: number, temperature: "cold" | "warm", all: readonly Comparison[]): Row {
  const { what, aim } = CASES[index]!;
  const of = (side: "product" | "floor", part: keyof Speed) =>
    median(all.map((one) => one[side][temperature][part]));
  const ratio = median(
    all.map(({ product, floor }) => product[temperature].perSecond / floor[temperature].perSecond),
  );
  return {
    "the window": what,
    server: temperature,
    "bytes sent": figure(median(all.map(({ bytes }) => bytes))),
    "windows/s": figure(of("product", "perSecond")),
    "bare/s": figure(of("floor", "perSecond")),
    ratio: `${(ratio * 100).toFixed(0)} %`,
    aim: `≥ ${aim * 100} %: ${verdict(ratio >= aim)}`,
    "CPU µs": figure(of("product", "microseconds")),
    "bare CPU µs": figure(of("floor", "microseconds")),
  };
}

/** Compares product and bare object, side by side in every round. @param sizes how many windows, and how often */
export async function measureReconnect(
  vars: Record<string, string>,
  sizes: { windows: number; rounds: number },
): Promise<{ cases: Row[]; claims: Row[] }> {
  const rounds: Awaited<ReturnType<typeof measureRound>>[] = [];
  for (let round = 0; round < sizes.rounds; round++) rounds.push(await measureRound(vars, sizes.windows));
  const cases = CASES.flatMap((_, index) =>
    (["cold", "warm"] as const).map((temperature) =>
      caseRow(
        index,
        temperature,
        rounds.map((round) => round.cases[index]!),
      ),
    ),
  );
  const times = (part: keyof ClaimTimes, share: number) =>
    figure(median(rounds.map(({ claims }) => percentile(claims[part], share))));
  const claims = (["quiet", "during"] as const).map((part) => ({
    claims: part === "quiet" ? "no windows connect" : "windows connect",
    "p50 ms": times(part, 0.5),
    "p99 ms": times(part, 0.99),
  }));
  return { cases, claims };
}
