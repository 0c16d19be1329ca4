/**
 * Measures whether a claim costs more in an old market than in a new one. Sends the same claims alternately
 * to a market with almost no history and to one with a long history. Counts rows read and written.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { loadWindow } from "./claims.ts";
import { Client } from "./client.ts";
import { COUNTING_WRAPPER } from "./cost.ts";
import { figure, median, type Row, verdict } from "./figures.ts";
import { fillD1, fillExchange } from "./fill.ts";
import { migrate } from "../testing/product/read-build.ts";
import { type Product, startProduct } from "./runtime.ts";
import { listLeads, type Provider, signUp } from "./world.ts";

const WARM_UP = 20;
const MAX_GROWTH = 1.2;

/** Number of sold leads in the exchange and in D1. */
type HistorySize = { exchange: number; d1: number };

type Rows = { read: number; written: number };
type CountingExchange = { benchRows: () => Promise<Rows> };

/** A market and its measured times, for winning and losing claims. */
type Market = {
  product: Product;
  client: Client;
  leads: string[];
  buyers: Provider[];
  times: Record<"won" | "lost", number[]>;
  costs: Record<"won" | "lost", string[]>;
};

/** Starts a market with a history of sold leads. */
async function openMarket(
  vars: Record<string, string>,
  persist: string,
  past: HistorySize,
  claims: number,
): Promise<Market> {
  // The first start creates the tables. Write the history, then start again to measure.
  const first = await startProduct(vars, { persist });
  await migrate(first.d1);
  await listLeads(first, 1);
  await first.stop();
  fillExchange(persist, past.exchange);
  fillD1(persist, past.d1);
  const product = await startProduct(vars, { persist, wrapper: COUNTING_WRAPPER });
  return {
    product,
    client: new Client(product.url, 1),
    leads: await listLeads(product, claims),
    buyers: await signUp(product, claims * 2),
    times: { won: [], lost: [] },
    costs: { won: [], lost: [] },
  };
}

async function readRowCounts({ product }: Market): Promise<string> {
  const exchange = (await product.exchange()) as unknown as CountingExchange;
  const inExchange = await exchange.benchRows();
  const d1Rows = (await (await fetch(`${product.url}/bench/rows`)).json()) as Rows;
  return `${inExchange.read} / ${inExchange.written} · ${d1Rows.read} / ${d1Rows.written}`;
}

/** Claims the i-th lead for one buyer, then again for a second buyer, who is too late. */
async function claimTwice(market: Market, i: number): Promise<void> {
  const { product, client, leads, buyers } = market;
  const both = [buyers[2 * i]!, buyers[2 * i + 1]!] as const;
  for (const { cookie } of both) await loadWindow(client, cookie);
  await readRowCounts(market);
  for (const [n, outcome] of (["won", "lost"] as const).entries()) {
    const headers = { "Content-Type": "application/json", Origin: product.url, Cookie: both[n]!.cookie };
    const body = JSON.stringify({ leadId: leads[i], amount: LEAD_PRICE_CENTS });
    const { status, ms } = await client.send({ path: "/api/create-payment-intent", headers, body });
    if (status !== (outcome === "won" ? 200 : 409)) throw new Error(`${outcome} returned ${status}`);
    const cost = await readRowCounts(market);
    if (i < WARM_UP) continue;
    market.times[outcome].push(ms);
    market.costs[outcome].push(cost);
  }
}

/** Returns the most frequent cost of a claim. All claims should cost the same. */
const usual = (costs: readonly string[]) =>
  [...new Set(costs)].toSorted(
    (a, b) => costs.filter((cost) => cost === b).length - costs.filter((cost) => cost === a).length,
  )[0]!;

function rowOf(outcome: "won" | "lost", young: Market, old: Market): Row {
  const [before, after] = [median(young.times[outcome]), median(old.times[outcome])];
  const isSame = usual(young.costs[outcome]) === usual(old.costs[outcome]);
  return {
    claim: outcome,
    "rows read / written: exchange · D1": usual(young.costs[outcome]),
    "with a long history": usual(old.costs[outcome]),
    "median ms": figure(before),
    "long history ms": figure(after),
    growth: `${((after / before - 1) * 100).toFixed(0)} %`,
    "aim: same rows, ≤ 20 %": verdict(isSame && after <= before * MAX_GROWTH),
  };
}

/** @param sizes the old market's history, and how many leads to claim in each market */
export async function measureHistory(
  vars: Record<string, string>,
  { past, claims }: { past: HistorySize; claims: number },
): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-bench-"));
  try {
    const young = await openMarket(vars, join(folder, "young"), { exchange: 0, d1: 0 }, claims + WARM_UP);
    const old = await openMarket(vars, join(folder, "old"), past, claims + WARM_UP);
    for (let i = 0; i < claims + WARM_UP; i++) for (const market of [young, old]) await claimTwice(market, i);
    const rows = (["won", "lost"] as const).map((outcome) => rowOf(outcome, young, old));
    for (const { client, product } of [young, old]) {
      client.close();
      await product.stop();
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
