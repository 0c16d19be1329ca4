/**
 * Winning: how long a lead's winner waits for the result. Compares the call that also creates the payment
 * with the call that only takes the lead. Stripe's latency is realistic.
 */
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { StripeStandIn } from "../testing/stand-ins/stripe-stand-in.ts";
import { releaseSlots, loadWindow } from "./claims.ts";
import { Client, type TimedResponse, type BenchRequest } from "./client.ts";
import { figure, median, type Row, verdict } from "./figures.ts";
import type { Product } from "./runtime.ts";
import { listLeads, type Provider, signUp } from "./world.ts";

/** Time Stripe takes to create a payment. */
const STRIPE_MS = 400;
const TARGET_ALONE = 1 / 4;
const TARGET_IN_RACE = 2;

const PAYING = "/api/create-payment-intent";
const TAKING = "/api/exchange/holds";

/** A Stripe stand-in with realistic latency. */
export class SlowStripe extends StripeStandIn {
  override async fetch(request: Request): Promise<Response> {
    const isCreatingIntent =
      request.method === "POST" && new URL(request.url).pathname === "/v1/payment_intents";
    if (isCreatingIntent) await new Promise((resolve) => setTimeout(resolve, STRIPE_MS));
    return super.fetch(request);
  }
}

function claim(product: Product, { cookie }: Provider, path: string, leadId: string): BenchRequest {
  const headers = { "Content-Type": "application/json", Origin: product.url, Cookie: cookie };
  return { path, headers, body: JSON.stringify({ leadId, amount: LEAD_PRICE_CENTS }) };
}

/** Makes one buyer call repeatedly, without rivals. Returns each call's milliseconds. */
async function measureAlone(product: Product, client: Client, provider: Provider, paths: string[]) {
  const [leadId] = await listLeads(product, 1);
  await loadWindow(client, provider.cookie);
  const times: number[] = [];
  for (const path of paths) {
    const { status, ms } = await client.send(claim(product, provider, path, leadId!));
    if (status !== 200) throw new Error(`${path} returned ${status}`);
    times.push(ms);
  }
  await releaseSlots(product);
  return times;
}

/** Makes providers claim one lead at once. @returns the winner's milliseconds, and the losers' median */
async function race(product: Product, client: Client, providers: readonly Provider[], path: string) {
  const [leadId] = await listLeads(product, 1);
  await Promise.all(providers.map(({ cookie }) => loadWindow(client, cookie)));
  const hits = await Promise.all(
    providers.map((provider) => client.send(claim(product, provider, path, leadId!))),
  );
  const timesOf = (status: number) =>
    hits.filter((hit: TimedResponse) => hit.status === status).map(({ ms }) => ms);
  const [won, lost] = [timesOf(200), timesOf(409)];
  if (won.length !== 1 || lost.length !== providers.length - 1)
    throw new Error(`A race returned ${hits.map(({ status }) => status).join(" ")}`);
  await releaseSlots(product);
  return { winner: won[0]!, losers: median(lost) };
}

type Race = Awaited<ReturnType<typeof race>>;

const row = (what: string, before: string, after: string, aim: string): Row => ({
  [`Stripe responds after ${STRIPE_MS} ms`]: what,
  "in one call": before,
  "taken first": after,
  aim,
});

function rowsOf(
  times: { once: number[]; taken: number[]; payable: number[] },
  races: Record<"once" | "taken", Race[]>,
  crowd: number,
): Row[] {
  const [once, taken] = [median(times.once), median(times.taken)];
  const winner = (of: Race[]) => median(of.map((one) => one.winner));
  const losers = (of: Race[]) => median(of.map((one) => one.losers));
  const share = (of: Race[]) => median(of.map((one) => one.winner / one.losers));
  return [
    row(
      "alone: result after, ms",
      figure(once),
      figure(taken),
      `≤ 1/4: ${verdict(taken <= once * TARGET_ALONE)}`,
    ),
    row("alone: may pay, ms", figure(once), figure(median(times.payable)), "reported"),
    row(
      `${crowd} at once: winner's result after, ms`,
      figure(winner(races.once)),
      figure(winner(races.taken)),
      "",
    ),
    row(`${crowd} at once: losers' median, ms`, figure(losers(races.once)), figure(losers(races.taken)), ""),
    row(
      `${crowd} at once: winner ÷ losers' median`,
      `${share(races.once).toFixed(2)} ×`,
      `${share(races.taken).toFixed(2)} ×`,
      `≤ ${TARGET_IN_RACE} ×: ${verdict(share(races.taken) <= TARGET_IN_RACE)}`,
    ),
  ];
}

/**
 * Measures single buyers and races, alternating between the two calls.
 *
 * @param product must use a `SlowStripe`
 * @param sizes number of rounds, and how many providers claim one lead at once
 */
export async function measureWinning(
  product: Product,
  sizes: { rounds: number; crowd: number },
): Promise<Row[]> {
  const { rounds, crowd } = sizes;
  const client = new Client(product.url, crowd);
  const times = { once: [] as number[], taken: [] as number[], payable: [] as number[] };
  const races: Record<"once" | "taken", Race[]> = { once: [], taken: [] };
  // The first round warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    const [one, two, ...others] = await signUp(product, 2 + crowd);
    const [once] = await measureAlone(product, client, one!, [PAYING]);
    const [taken, paying] = await measureAlone(product, client, two!, [TAKING, PAYING]);
    const first = await race(product, client, others, PAYING);
    const second = await race(product, client, others, TAKING);
    if (round === 0) continue;
    times.once.push(once!);
    times.taken.push(taken!);
    times.payable.push(taken! + paying!);
    races.once.push(first);
    races.taken.push(second);
  }
  client.close();
  return rowsOf(times, races, crowd);
}
