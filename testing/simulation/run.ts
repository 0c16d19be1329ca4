/**
 * Plays schedules. The same seed gives the same schedule. Each draws its faults and acts from those that the
 * product can handle. A failing schedule is reduced to the acts that cause the failure.
 */
import { putOnMarket } from "../../worker/customer/rescue/store.ts";
import { contextOf } from "../../worker/platform/context.ts";
import { MINUTE_MS } from "../../contract/durations.ts";
import { findLead } from "../../worker/leads/queries.ts";
import { database } from "../../worker/platform/db/client.ts";
import { BrowserWindow } from "./browsers.ts";
import { Actors } from "./actors.ts";
import { allRecords, isIdle } from "./facts.ts";
import { type Feature, FEATURE_NAMES, REQUIRED_FEATURES } from "./features.ts";
import { checkAtRest } from "./invariants-at-rest.ts";
import { StepInvariants } from "./invariants-always.ts";
import { makePlan } from "./plan.ts";
import { addReconciliation, REGIONS } from "./population.ts";
import { Random } from "./random.ts";
import { isLossHidden } from "./storage-loss.ts";
import { World } from "./world.ts";

/** Duration of the acts. After that the world finishes its work. */
const ACTION_PHASE_MS = 17 * MINUTE_MS;

/** Options of a run. */
export type Options = {
  /** The possible features; all by default. */
  features?: readonly Feature[];
  /** Only these acts, by number. */
  only?: ReadonlySet<number>;
  recordsStory?: boolean;
  /** Ends the schedule, which then throws. */
  signal?: AbortSignal;
};

/** The result of a schedule. Shows whether schedules reach the critical cases, and explains a failure. */
export type Outcome = {
  failure: string | null;
  tally: RunCounts;
  /** Occurrences of each feature. */
  occurrences: ReadonlyMap<Feature, number>;
  acts: number;
  story: string[];
};

export type RunCounts = {
  cardSales: number;
  otherSales: number;
  refunds: number;
  cancelled: number;
  expired: number;
  moved: number;
  erased: number;
  erasedMovedLeads: number;
};

/** Chooses the features of this schedule. A few at a time find more bugs than all together. */
function featuresOf(seed: number, candidates: readonly Feature[]): Set<Feature> {
  const random = new Random(seed, "features");
  const share = random.pick([0.15, 0.3, 0.5]);
  // Each feature has its own random number, so that omitting one does not change the others.
  const chosen = new Set(candidates.filter((name) => new Random(seed, name).chance(share)));
  // Force one feature per seed in turn, so that a few schedules already cover all of them.
  const rotatedFeature = FEATURE_NAMES[seed % FEATURE_NAMES.length]!;
  if (candidates.includes(rotatedFeature)) chosen.add(rotatedFeature);
  for (const [name, needed] of Object.entries(REQUIRED_FEATURES) as [Feature, Feature][])
    if (chosen.has(name) && candidates.includes(needed)) chosen.add(needed);
  // The nightly checks query every region, so they are slow to play.
  if (chosen.has("nightly") && rotatedFeature !== "nightly" && !random.chance(0.05)) chosen.delete("nightly");
  // Without cards, little else happens in a schedule.
  if (chosen.has("direct_sales") && rotatedFeature !== "direct_sales" && !random.chance(0.25))
    chosen.delete("direct_sales");
  return chosen;
}

/** Plays one schedule to its end. */
export async function play(
  seed: number,
  { features = FEATURE_NAMES, only, recordsStory = false, signal }: Options = {},
): Promise<Outcome> {
  const world = new World(seed, featuresOf(seed, features), recordsStory);
  const cast = new Actors(world, new Random(seed, "cast"));
  const windows: BrowserWindow[] = [];
  const acts = makePlan(seed, cast, windows, only);
  const always = new StepInvariants(cast, windows);
  const checkInvariants = () => {
    signal?.throwIfAborted();
    if (world.failure) throw world.failure;
    always.check();
  };
  world.story.logStep(() => `schedule ${seed}: ${[...world.features].join(", ")}`);
  let failure: string | null = null;
  try {
    begin(cast, windows);
    for (const { at, name, run } of acts) world.scheduler.after(at, () => world.start(name, run));
    scheduleSweeps(cast, new Random(seed, "cron"));
    await world.scheduler.runUntil(world.scheduler.now + ACTION_PHASE_MS, checkInvariants);
    await finishPendingWork(world, windows, checkInvariants);
    await askForReviews(cast, checkInvariants);
    await recountFigures(cast, checkInvariants);
    checkAtRest(cast, windows);
  } catch (error) {
    signal?.throwIfAborted();
    failure =
      error instanceof Error && error.constructor.name === "Violation"
        ? error.message
        : String((error as Error).stack);
    world.story.logStep(() => `✗ ${failure}`);
  }
  const { occurrences } = world.faults;
  const tally = countResults(world);
  if (tally.expired > 0 && cast.has("short_lives")) world.faults.recordFault("short_lives");
  if (tally.erased > 0) world.faults.recordFault("erasures");
  return { failure, tally, occurrences, acts: acts.length, story: world.story.lines() };
}

/** Lists the visitors' leads and opens the windows. */
function begin(cast: Actors, windows: BrowserWindow[]): void {
  const { world } = cast;
  for (const { id } of cast.leads)
    world.start("a visitor's request", async () => {
      const lead = await findLead(database(world.env.DB), id).catch(() => null);
      if (lead) await putOnMarket(contextOf(world.env), lead).catch(() => {});
    });
  if (!cast.has("windows")) return;
  const random = new Random(world.seed, "windows");
  for (const person of [cast.teamMember, ...cast.businesses]) {
    if (random.chance(0.4)) continue;
    const window = new BrowserWindow(cast, person, random.chance(0.75) ? REGIONS[0] : REGIONS[1], random);
    windows.push(window);
    world.start(window.name, () => window.connect());
  }
}

/** Runs the cron in some minutes and skips the others. */
function scheduleSweeps({ world }: Actors, random: Random): void {
  for (let at = MINUTE_MS; at < ACTION_PHASE_MS; at += MINUTE_MS)
    if (random.chance(world.features.has("messages") ? 0.4 : 0.07))
      world.scheduler.after(at, () => world.start("cron", () => world.sweep()));
}

/** After this time Stripe has deleted all earlier keys. */
const KEY_MINUTES = 25 * 60;

async function waitAndSweep(world: World, minutes: number, checkInvariants: () => void): Promise<void> {
  const { scheduler } = world;
  await scheduler.runUntil(scheduler.now + minutes * MINUTE_MS, checkInvariants);
  // Skip minutes in which the sweep has nothing to do. Only a sweep notices lost storage.
  if (!isIdle(world) || world.losses.size > 0) world.start("cron", () => world.sweep());
}

/** Stops faults and lets all work in progress finish. */
async function finishPendingWork(
  world: World,
  windows: BrowserWindow[],
  checkInvariants: () => void,
): Promise<void> {
  const { faults, scheduler } = world;
  faults.areFaultsStopped = true;
  faults.makeD1Unavailable(0);
  for (const minutes of [1, 6, 6, 15, 20, 70, 170, KEY_MINUTES]) {
    // Within these two hours sockets are renewed and all messages are sent.
    if (minutes >= 170 && isIdle(world) && world.pendingCount === 0 && world.stripe.undelivered === 0) break;
    // Stripe frees a key with a stored error after a day. If a hold is still left, waiting longer will not
    // help.
    if (minutes > 170 && allRecords(world).some(({ hold }) => hold !== null)) break;
    await waitAndSweep(world, minutes, checkInvariants);
  }
  if (faults.needsNightly || isLossHidden(world)) {
    await runNightlyChecks(world, checkInvariants);
    // If a hold is left that only the nightly check can find, the day's wait above was skipped.
    if (!isIdle(world)) await waitAndSweep(world, KEY_MINUTES, checkInvariants);
  }
  await scheduler.runUntil(scheduler.now + 6 * MINUTE_MS, checkInvariants);
  world.start("cron", () => world.sweep());
  for (const window of windows) world.start(window.name, () => window.connect());
  await scheduler.runUntil(scheduler.now + 2 * MINUTE_MS, checkInvariants);
}

/** Lets two weeks pass for every purchase, so that the sweep asks the other customers for a review. */
async function askForReviews(cast: Actors, checkInvariants: () => void): Promise<void> {
  const { world } = cast;
  const { scheduler } = world;
  if (!cast.has("reviews")) return;
  cast.reviewsAskedAt = scheduler.now;
  world.d1.statements.rows("UPDATE lead_purchases SET review_due_at = ? WHERE review_due_at IS NOT NULL", [
    scheduler.now,
  ]);
  world.start("cron", () => world.sweep());
  await scheduler.runUntil(scheduler.now + 3 * MINUTE_MS, checkInvariants);
}

/** Recounts the market's figures and loads each business's receipts. */
async function recountFigures(cast: Actors, checkInvariants: () => void): Promise<void> {
  const { world } = cast;
  const { scheduler } = world;
  if (!cast.has("nightly")) {
    // The sweep counts these days again.
    world.d1.statements.rows("UPDATE market_days SET counted_at = 0", []);
    cast.areFiguresRecounted = true;
    world.start("cron", () => world.sweep());
  }
  for (const person of cast.businesses)
    world.start(person.name, async () => {
      const reply = await cast.call(person, "GET", "/api/payments");
      if (reply?.status === 200) cast.receipts.set(person.businessId, JSON.parse(reply.body) as never);
    });
  // Sockets are renewed every full half minute.
  await scheduler.runUntil(scheduler.now + 0.75 * MINUTE_MS, checkInvariants);
}

/** Runs the nightly reconciliation. */
async function runNightlyChecks(world: World, checkInvariants: () => void): Promise<void> {
  const { scheduler } = world;
  // All records must be old enough for it.
  await scheduler.runUntil(scheduler.now + 60 * MINUTE_MS, checkInvariants);
  addReconciliation(world.d1.statements, scheduler.now, `job_${world.ids.uuid()}`);
  world.faults.recordFault("nightly");
  for (let minute = 0; minute < 2; minute++) {
    world.start("cron", () => world.sweep());
    await scheduler.runUntil(scheduler.now + MINUTE_MS, checkInvariants);
  }
}

function countResults({ d1, stripe }: World): RunCounts {
  const [counts] = d1.statements.rows(
    `SELECT (SELECT count(*) FROM lead_purchases WHERE mode = 'stripe') AS cardSales,
            (SELECT count(*) FROM lead_purchases WHERE mode NOT IN ('stripe', 'manual')) AS otherSales,
            (SELECT count(*) FROM leads WHERE status = 'expired') AS expired,
            (SELECT count(*) FROM leads WHERE generation > 1) AS moved,
            (SELECT count(*) FROM leads WHERE erased_at IS NOT NULL AND source <> 'manual') AS erased,
            (SELECT count(*) FROM leads WHERE erased_at IS NOT NULL AND generation > 1) AS erasedMovedLeads`,
    [],
  ) as Omit<RunCounts, "refunds" | "cancelled">[];
  const intents = [...stripe.book.intents.values()];
  return {
    ...counts!,
    refunds: intents.filter(({ latest_charge: charge }) => charge?.refunded).length,
    cancelled: intents.filter(({ status }) => status === "canceled").length,
  };
}

/** A failed schedule, with the acts and features that cause the failure, and its story. */
export type Failure = { seed: number; message: string; acts: number[]; features: Feature[]; story: string[] };

/** Reduces a failing schedule to the acts and features that cause the failure. Returns its story. */
export async function reduceFailure(
  seed: number,
  { features: candidates = FEATURE_NAMES, signal }: Pick<Options, "features" | "signal"> = {},
): Promise<Failure | null> {
  const whole = await play(seed, { features: candidates, signal });
  if (!whole.failure) return null;
  let acts = Array.from({ length: whole.acts }, (_, i) => i);
  let features = candidates.filter((name) => featuresOf(seed, candidates).has(name));
  const stillFails = async (fewer: { acts?: number[]; features?: Feature[] }) => {
    const only = new Set(fewer.acts ?? acts);
    return (await play(seed, { features: fewer.features ?? features, only, signal })).failure !== null;
  };
  for (const act of acts) {
    const fewer = acts.filter((one) => one !== act);
    if (await stillFails({ acts: fewer })) acts = fewer;
  }
  for (const feature of features) {
    const fewer = features.filter((one) => one !== feature);
    if (await stillFails({ features: fewer })) features = fewer;
  }
  const replayed = await play(seed, { features, only: new Set(acts), recordsStory: true, signal });
  return { seed, message: replayed.failure ?? whole.failure, acts, features, story: replayed.story };
}

/** Plays schedules until one fails. */
export async function simulate(options: {
  from: number;
  schedules: number;
  features?: readonly Feature[];
}): Promise<Failure | null> {
  const { from, schedules, features } = options;
  for (let seed = from; seed < from + schedules; seed++) {
    const { failure } = await play(seed, features ? { features } : {});
    if (failure) return reduceFailure(seed, { features });
  }
  return null;
}
