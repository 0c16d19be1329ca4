/** Submits jobs to the Worker: inserts them into D1, where its cron finds them, and waits until they end. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import { type OperatorJob, operatorJobSchema } from "../../contract/operator.ts";
import { portOf } from "../local.ts";
import { query, quote, type Target } from "./d1.ts";

const MAX_JOB_MS = 30 * 60_000;

/** Triggers the running server's cron. Locally only `npm start` does this on a schedule. */
async function runLocalSchedule(target: Target): Promise<void> {
  const port = portOf(target.port ?? process.env.PORT);
  const url = `http://localhost:${port}/cdn-cgi/handler/scheduled`;
  const response = await fetch(url).catch(() => null);
  if (!response?.ok)
    throw new Error(
      `No server responds at ${url}. The job is stored; start the product with \`npm start\` (or give its --port), and the job runs within a minute.`,
    );
}

type FinishedJob = { state: "done" | "failed"; counts: Record<string, number> };

/**
 * Submits jobs and waits until all have ended.
 *
 * @param jobs validated with the Worker's own schema
 * @returns each job's result with its counts, in the order of the jobs
 * @throws Error if a job is malformed or still running after half an hour
 */
async function submitJobs(target: Target, jobs: readonly OperatorJob[]): Promise<FinishedJob[]> {
  const now = Date.now();
  const rows = jobs.map((job) => {
    const parsed = operatorJobSchema.safeParse(job);
    if (!parsed.success) throw new Error(`${parsed.error.issues[0]!.message}.`);
    const { kind, input } = parsed.data;
    return { id: `job_${randomUUID().replaceAll("-", "").slice(0, 20)}`, kind, input };
  });
  const values = rows.map(
    ({ id, kind, input }) =>
      `(${quote(id)}, ${quote(kind)}, ${quote(JSON.stringify(input))}, ${now}, ${now})`,
  );
  await query(
    target,
    `INSERT INTO operator_jobs (id, kind, input, created_at, updated_at) VALUES ${values.join(", ")}`,
  );
  const [first] = rows;
  const name =
    rows.length === 1 ? `${first!.id} (${first!.kind}) is` : `${rows.length} jobs (${first!.kind}) are`;
  console.log(`${name} stored. The Worker's cron runs ${rows.length === 1 ? "it" : "them"} within a minute.`);
  const ids = rows.map(({ id }) => quote(id)).join(", ");
  while (Date.now() - now < MAX_JOB_MS) {
    if (!target.isRemote) await runLocalSchedule(target);
    const found = await query(target, `SELECT id, state, result FROM operator_jobs WHERE id IN (${ids})`);
    const ended = new Map(found.filter(({ state }) => state !== "waiting").map((row) => [row.id, row]));
    if (ended.size === rows.length)
      return rows.map(({ id }) => {
        const { state, result } = ended.get(id)!;
        return {
          state: state as FinishedJob["state"],
          counts: JSON.parse(String(result ?? "{}")) as FinishedJob["counts"],
        };
      });
    await wait(target.isRemote ? 15_000 : 1_000);
  }
  throw new Error(
    `${first!.id} has not finished after half an hour; check the Worker's log (npx wrangler tail).`,
  );
}

/** Returns the line for a count. A name with a sentence in it is a difference that the job names. */
function lineOf([name, count]: [string, number]): string {
  return /^\w+$/.test(name) ? `${name.replaceAll("_", " ")}: ${count}` : name;
}

/** Submits jobs and prints the sum of their counts. @returns the counts @throws Error if a job failed */
export async function runJobs(target: Target, jobs: readonly OperatorJob[]): Promise<FinishedJob["counts"]> {
  const ended = await submitJobs(target, jobs);
  const counts: FinishedJob["counts"] = {};
  for (const [name, count] of ended.flatMap((one) => Object.entries(one.counts)))
    counts[name] = (counts[name] ?? 0) + count;
  for (const entry of Object.entries(counts)) console.log(`  ${lineOf(entry)}`);
  if (ended.some(({ state }) => state === "failed"))
    throw new Error("The job failed; see the Worker's log (npx wrangler tail).");
  return counts;
}

/** Submits a job and prints its result. @returns its counts @throws Error if it failed */
export function runJob(target: Target, job: OperatorJob): Promise<FinishedJob["counts"]> {
  return runJobs(target, [job]);
}
