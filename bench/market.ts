/**
 * Measures the market while attackers request quotes with texts that are slow to process. Providers read
 * three regions: one full of slow texts, one with ordinary texts of the same length, and one with ordinary
 * texts of typical length.
 */
import { eq } from "drizzle-orm";

import { leadRequestSchema } from "../contract/leads.ts";
import type { Region } from "../contract/regions.ts";
import { leads } from "../worker/platform/db/schema.ts";
import { migrate } from "../testing/product/read-build.ts";
import { HONEST_TEXTS } from "../testing/corpus/honest-texts.ts";
import { SLOW_UNITS } from "../testing/corpus/slow-texts.ts";
import { insertPendingLead, quoteRequest } from "../testing/world.ts";
import { Client } from "./client.ts";
import { figure, median, type Row, verdict } from "./figures.ts";
import { type Product, startProduct } from "./runtime.ts";
import { type Provider, signUp } from "./world.ts";

const MAX_CHARACTERS = 2_000;
const MAX_RATIO = 1.1;

/** Returns the longest prefix of a text that the form accepts. */
function accepted(text: string): string {
  let cut = text.slice(0, MAX_CHARACTERS);
  while (!leadRequestSchema.safeParse(quoteRequest({ specificRequests: cut })).success)
    cut = cut.slice(0, Math.floor(cut.length * 0.9));
  return cut;
}

const repeated = (unit: string) => unit.repeat(Math.ceil(MAX_CHARACTERS / unit.length));
const note = (i: number) => HONEST_TEXTS[(i * 13) % HONEST_TEXTS.length]!.text;
const longNote = (i: number) => Array.from({ length: 60 }, (_, n) => note(i + n)).join(" ");

/** The three markets, each in its own region. */
const MARKETS: readonly { what: string; region: Region; street: string; textOf: (i: number) => string }[] = [
  {
    what: "ordinary, as long",
    region: "northern-beaches",
    street: "Manly NSW 2095",
    textOf: (i) => longNote(i),
  },
  {
    what: "hostile",
    region: "inner-west",
    street: "Leichhardt NSW 2040",
    // Every second lead has the text that once stopped the market.
    textOf: (i) => repeated(i % 2 ? "㌖" : SLOW_UNITS[(i / 2) % SLOW_UNITS.length]!),
  },
  {
    what: "ordinary, as written",
    region: "illawarra-and-shoalhaven",
    street: "Wollongong NSW 2500",
    textOf: note,
  },
];

async function fillMarkets(product: Product, count: number): Promise<void> {
  for (const { street, textOf } of MARKETS) {
    for (let i = 0; i < count; i++) {
      const request = { customerAddress: `1 Main Street, ${street}`, specificRequests: accepted(textOf(i)) };
      await insertPendingLead(product.db, request);
    }
  }
  await product.db.update(leads).set({ listingState: "listed" }).where(eq(leads.listingState, "pending"));
}

/** Creates a provider who watches each market. */
async function watchers(product: Product): Promise<Provider[]> {
  const providers = await signUp(product, MARKETS.length);
  for (const [i, { id }] of providers.entries()) {
    const regions = JSON.stringify([MARKETS[i]!.region]);
    await product.d1.prepare("UPDATE users SET watched_regions = ? WHERE id = ?").bind(regions, id).run();
  }
  return providers;
}

/** @param sizes number of leads in each market, and how often to read each market */
export async function measureMarket(
  vars: Record<string, string>,
  { leads, rounds }: { leads: number; rounds: number },
): Promise<Row[]> {
  const product = await startProduct(vars);
  await migrate(product.d1);
  await fillMarkets(product, leads);
  const providers = await watchers(product);
  const client = new Client(product.url, 1);
  const times = MARKETS.map((): number[] => []);
  // Alternate, so that other load affects all markets equally. The first rounds warm up.
  for (let round = -2; round < rounds; round++) {
    for (const [i, { region }] of MARKETS.entries()) {
      const shot = {
        path: `/api/leads?region=${region}`,
        headers: { Cookie: providers[i]!.cookie },
        body: "",
      };
      const { status, ms } = await client.send(shot, "GET");
      if (status !== 200) throw new Error(`The list returned ${status}`);
      if (round >= 0) times[i]!.push(ms);
    }
  }
  client.close();
  await product.stop();
  const [ordinary, hostile, written] = times.map(median) as [number, number, number];
  const ratio = hostile / ordinary;
  const row: Row = {
    read: `GET /api/leads, ${leads} of them`,
    "ordinary, as long ms": figure(ordinary),
    "hostile ms": figure(hostile),
    ratio: `${ratio.toFixed(2)} ×`,
    [`aim ≤ ${MAX_RATIO} ×`]: verdict(ratio <= MAX_RATIO),
    "ordinary, as written ms": figure(written),
  };
  return [row];
}
