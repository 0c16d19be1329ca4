/** An operator rewinds an exchange's storage to an earlier point (row 45). */
import { MINUTE_MS } from "../../contract/durations.ts";
import type { Actors } from "./actors.ts";
import { jobOf } from "./facts.ts";
import { addJob } from "./population.ts";
import type { Random } from "./random.ts";

/** Maximum times that the operator polls a job. */
const MAX_POLLS = 60;
/** Maximum comparisons of the market before the operator resumes it anyway. */
const COMPARISONS = 5;

type JobCounts = { [count: string]: number };

/** Enqueues a job and lets the cron work on it. @returns its counts, or null if it failed or is not over */
async function runJob({ world }: Actors, kind: string, input: object): Promise<JobCounts | null> {
  const id = `job_${world.ids.uuid()}`;
  world.story.logStep(() => `an operator asks for ${kind}`);
  addJob(world.d1.statements, world.scheduler.now, { id, kind, input });
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    await world.sweep();
    const { state, result } = jobOf(world, id);
    if (state !== "waiting") return state === "done" ? (JSON.parse(result) as JobCounts) : null;
    await world.wait(MINUTE_MS);
  }
  return null;
}

/** Rewinds a region's exchange, compares the market, and resumes the region. Retries a failed command. */
export async function rewindExchange(cast: Actors, region: string, random: Random): Promise<void> {
  const { world } = cast;
  const host = world.exchanges.hosts.get(region);
  if (!host || world.rewinding.has(region)) return;
  const to = world.scheduler.now;
  host.addBookmark();
  await world.wait(random.between(5, 400) * 1000);
  if (world.faults.areFaultsStopped || world.rewinding.has(region)) return;
  world.rewinding.set(region, false);
  let done: JobCounts | null = null;
  while (!done) done = await runJob(cast, "rewind_exchange", { region, to });
  cast.recordFeature("rewinds", (done["rewound"] ?? 0) > 0);
  for (let i = 0; i < COMPARISONS; i++) {
    const found = await runJob(cast, "compare_market", { since: 0 });
    if (found?.["differences"] === 0) break;
  }
  while (!(await runJob(cast, "resume_region", { region })));
  world.rewinding.delete(region);
}
