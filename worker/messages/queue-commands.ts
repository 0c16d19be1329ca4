/**
 * Hands what is due over to the queue, by ids and nothing else: what is said to whom stays in D1, and so does the
 * truth about what was sent. Whatever the queue loses, repeats or refuses is due in D1 all the same.
 */
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { inTime } from "../patience.ts";
import { listDue } from "./due-queries.ts";
import type { Queued } from "../db/message-types.ts";

/** Messages sent by one call of the consumer: some seconds' work, six at a time. */
export const IDS_AT_ONCE = 50;
/** The queue takes 100 of its messages and 256 kB in a call; these are 130 kB at most. */
const QUEUED_AT_ONCE = 50;
/** The minute's sweep hands over so many of a kind: what was handed over before and waits there is among them. */
const MOST_HANDED = 1_000;

function inPieces<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/**
 * Hands messages over to the queue. Never throws.
 * @returns false where there is no queue, or it did not take all of them: then they are still to be sent
 */
export async function handOver(env: Env, ids: readonly string[]): Promise<boolean> {
  const { MESSAGE_QUEUE: queue } = env;
  if (!queue) return false;
  const bodies = inPieces(ids, IDS_AT_ONCE).map((some) => ({ body: { ids: some } satisfies Queued }));
  try {
    for (const some of inPieces(bodies, QUEUED_AT_ONCE)) await inTime(queue.sendBatch(some));
    return true;
  } catch (error) {
    log("warn", "queue_refused", { messages: ids.length, error });
    return false;
  }
}

/**
 * Hands over what is due now.
 * @returns false where there is no queue, or it did not take all of them
 * @throws D1's errors
 */
export async function handOverDue(env: Env, now: number): Promise<boolean> {
  if (!env.MESSAGE_QUEUE) return false;
  return handOver(env, await listDue(env, now, MOST_HANDED));
}
