/** Random schedules: the same seed gives the same one. A failing schedule is cut to its shortest start. */
import type { Flow } from "./calls.ts";
import { attend, deactivate, depart, list, reactivate, sweep } from "./flows.ts";
import { closeDialog, openPayment, settle } from "./paying-flows.ts";
import { type Break, BUSINESSES, type Intent, placeOf, REGIONS, Violation, World } from "./world.ts";

const LEADS = ["lead_a", "lead_b", "lead_c"] as const;
const LIFETIME_MS = 40 * 60_000;
const STEPS = 160;

/** The buyer's browser confirms, as far as Stripe lets it. */
function confirm(world: World, intent: Intent): void {
  if (!intent.isOut || intent.status !== "open") return;
  const kind = world.random();
  if (kind < 0.55) pay(world, intent);
  else if (kind < 0.75) intent.status = "processing";
  else return; // declined, or the bank asks: it stays open
  announce(world, intent);
}

function pay(world: World, intent: Intent): void {
  intent.status = "succeeded";
  intent.chargedCents = intent.amountCents;
}

/** Webhooks: none, one or several. They are delivered in any order. */
function announce(world: World, intent: Intent): void {
  const copies = world.hasFaults ? Math.floor(world.random() * 3) : 1;
  for (let i = 0; i < copies; i++) world.webhooks.push(intent.id);
}

function finishProcessing(world: World): void {
  const intent = world.pick([...world.intents.values()].filter(({ status }) => status === "processing"));
  if (!intent) return;
  if (world.chance(0.6)) pay(world, intent);
  else intent.status = "open";
  announce(world, intent);
}

function fireAlarms(world: World, flows: Flow[]): void {
  for (const { kind, leadId, at } of world.due.values())
    if (at <= world.now) flows.push(attend(world, kind, leadId));
}

/** One thing happens. */
function stir(world: World, flows: Flow[]): void {
  const what = world.random();
  const leadId = world.pick(LEADS)!;
  const place = placeOf(leadId, world.pick(REGIONS)!);
  const intent = world.pick([...world.intents.values()]);
  if (what < 0.22) {
    const key = world.chance(0.3) ? `key-${Math.floor(world.random() * 3)}` : null;
    flows.push(openPayment(world, { businessId: world.pick(BUSINESSES)!, leadId, key }));
  } else if (what < 0.4 && intent) confirm(world, intent);
  else if (what < 0.5 && intent?.isOut) flows.push(settle(world, intent.id, "browser"));
  else if (what < 0.62 && world.webhooks.length > 0) {
    const index = Math.floor(world.random() * world.webhooks.length);
    flows.push(settle(world, world.webhooks.splice(index, 1)[0]!, "stripe"));
  } else if (what < 0.68) {
    const row = world.pick([...world.ledger.values()]);
    if (row) flows.push(closeDialog(world, row));
  } else if (what < 0.72) finishProcessing(world);
  else if (what < 0.74) flows.push(list(world, leadId));
  else if (what < 0.745) flows.push(depart(world, leadId, false));
  else if (what < 0.76) flows.push(depart(world, leadId, true));
  else if (what < 0.775) sellDirect(world, place);
  else if (what < 0.785) upset(world, flows);
  else if (what < 0.805) flows.push(sweep(world));
  else {
    world.now += Math.floor(world.random() * (world.chance(0.3) ? 6 * 60_000 : 20_000));
    fireAlarms(world, flows);
  }
}

/** A market or a business is stopped, or may go on. */
function upset(world: World, flows: Flow[]): void {
  const [region, businessId] = [world.pick(REGIONS)!, world.pick(BUSINESSES)!];
  if (world.chance(0.5)) {
    if (!world.paused.delete(region)) world.paused.add(region);
  } else if (world.inactive.has(businessId)) reactivate(world, businessId);
  else flows.push(deactivate(world, businessId));
}

function sellDirect(world: World, leadId: string): void {
  const businessId = world.pick(BUSINESSES)!;
  const purchaseId = world.id("pur");
  const answer = world.apply(leadId, {
    type: "sell",
    businessId,
    userId: businessId,
    mode: "claimed",
    amountCents: 0,
    purchaseId,
  });
  if (answer.ok) world.told.push({ leadId, businessId });
}

/** Lets one process go on, to its next await. A process that fails is over, as a request is. */
function advance(world: World, flows: Flow[]): void {
  const index = Math.floor(world.random() * flows.length);
  const flow = flows[index];
  if (!flow) return;
  // Evicted, redeployed or closed in the middle.
  const isKilled = world.hasFaults && world.chance(0.02);
  let isOver = isKilled;
  try {
    if (!isKilled) isOver = flow.next().done === true;
  } catch (error) {
    if (error instanceof Violation || error instanceof TypeError) throw error;
    isOver = true;
  }
  if (isOver) flows.splice(index, 1);
}

/** No more buyers and no more faults: everything that is under way comes to its end. */
function comeToRest(world: World, flows: Flow[]): void {
  world.hasFaults = false;
  world.paused.clear();
  for (let round = 0; round < 25; round++) {
    while (flows.length > 0) {
      advance(world, flows);
      world.checkAlways();
    }
    finishProcessing(world);
    world.now += 3 * 60_000;
    fireAlarms(world, flows);
    flows.push(sweep(world));
  }
  while (flows.length > 0) advance(world, flows);
}

/** What happened in a schedule, to see that schedules go where it hurts. */
export type Tally = Record<
  "cardSales" | "otherSales" | "refunds" | "cancelled" | "expired" | "moved",
  number
>;

function tallyOf(world: World): Tally {
  const listings = [...world.listings.values()];
  const intents = [...world.intents.values()];
  return {
    cardSales: listings.filter(({ sale }) => sale?.mode === "stripe").length,
    otherSales: listings.filter(({ sale }) => sale && sale.mode !== "stripe").length,
    refunds: intents.filter(({ refunds }) => refunds > 0).length,
    cancelled: intents.filter(({ status }) => status === "cancelled").length,
    expired: listings.filter(({ state }) => state === "expired").length,
    moved: [...world.rows.values()].filter(({ generation }) => generation > 1).length,
  };
}

/**
 * Plays one schedule.
 * @param steps how much of it; the rest of the world's life is quiet
 * @throws Violation
 */
export function play(seed: number, broken: Break | null = null, steps = STEPS): Tally {
  const world = new World(seed, broken);
  const flows: Flow[] = [];
  const fresh = { generation: 1, version: 0, state: "available", isPending: true };
  world.hasFaults = false;
  for (const leadId of LEADS) {
    world.rows.set(leadId, { ...fresh, region: REGIONS[0], expiresAt: world.now + LIFETIME_MS });
    for (const _ of list(world, leadId)) continue;
  }
  world.hasFaults = true;
  for (let i = 0; i < steps; i++) {
    if (flows.length > 0 && world.chance(0.75)) advance(world, flows);
    else stir(world, flows);
    world.checkAlways();
  }
  comeToRest(world, flows);
  world.checkAtRest();
  return tallyOf(world);
}

export type Failure = { seed: number; steps: number; message: string };

function failureOf(seed: number, broken: Break | null, steps: number): string | null {
  try {
    play(seed, broken, steps);
    return null;
  } catch (error) {
    return error instanceof Violation ? error.message : String((error as Error).stack);
  }
}

/** Plays schedules until one fails; that one is cut to the shortest start that still fails. */
export function simulate(options: { from: number; schedules: number; broken?: Break }): Failure | null {
  const { from, schedules, broken = null } = options;
  for (let seed = from; seed < from + schedules; seed++) {
    if (!failureOf(seed, broken, STEPS)) continue;
    for (let steps = 0; steps <= STEPS; steps++) {
      const message = failureOf(seed, broken, steps);
      if (message) return { seed, steps, message };
    }
  }
  return null;
}
