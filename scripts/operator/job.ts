/** Asks the Worker to do something: writes a job into D1, which its cron picks up, and waits for the end. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import { type OperatorJob, operatorJobSchema } from "../../contract/operator.ts";
import { DEFAULT_PORT } from "../local.ts";
import { query, quote, type Target } from "./d1.ts";

const LONGEST_MS = 30 * 60_000;

/** On this machine nothing keeps the schedule but `npm start`: the running server is asked to. */
async function runLocalSchedule(target: Target): Promise<void> {
  const port = target.port ?? process.env.PORT ?? DEFAULT_PORT;
  const url = `http://localhost:${port}/cdn-cgi/handler/scheduled`;
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok)
    throw new Error(
      `Nothing answers at ${url}. The job is stored; start the product with \`npm start\` (or name its --port) and it is done within a minute.`,
    );
}

type Ended = { state: "done" | "failed"; counts: Record<string, number> };

/**
 * Hands a job over and waits until it has ended.
 * @param job checked as the Worker will check it
 * @returns how it ended, with counts of what was done
 * @throws Error when it is malformed, or has not ended after half an hour
 */
export async function submitJob(target: Target, job: OperatorJob): Promise<Ended> {
  const { kind, input } = operatorJobSchema.parse(job);
  const id = `job_${randomUUID().replaceAll("-", "").slice(0, 20)}`;
  const now = Date.now();
  await query(
    target,
    `INSERT INTO operator_jobs (id, kind, input, created_at, updated_at) VALUES (${quote(id)}, ${quote(kind)}, ${quote(JSON.stringify(input))}, ${now}, ${now})`,
  );
  console.log(`${id} (${kind}) is stored. The Worker's cron carries it out within a minute.`);
  while (Date.now() - now < LONGEST_MS) {
    if (!target.isRemote) await runLocalSchedule(target);
    const [row] = await query(target, `SELECT state, result FROM operator_jobs WHERE id = ${quote(id)}`);
    if (row && row.state !== "waiting") {
      const counts = JSON.parse(String(row.result ?? "{}")) as Ended["counts"];
      return { state: row.state as Ended["state"], counts };
    }
    await wait(target.isRemote ? 15_000 : 1_000);
  }
  throw new Error(`${id} has not ended after half an hour; look at the Worker's log (npm run logs).`);
}

/** A count's name for people: ours read as words, a column with its value stays as it is. */
function words(name: string): string {
  return /^\w+$/.test(name) ? name.replaceAll("_", " ") : name;
}

/** Hands a job over and prints how it ended. @returns its counts @throws Error when it failed */
export async function runJob(target: Target, job: OperatorJob): Promise<Ended["counts"]> {
  const { state, counts } = await submitJob(target, job);
  for (const [name, count] of Object.entries(counts)) console.log(`  ${words(name)}: ${count}`);
  if (state === "failed") throw new Error("The job failed; the Worker's log says why (npm run logs).");
  return counts;
}
