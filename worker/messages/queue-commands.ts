/**
 * Enqueues due messages by their ids alone. Content, recipients and results stay in D1. Messages that the queue loses,
 * repeats or refuses are still due in D1.
 */
import type { Context } from "../platform/context.ts";
import { log } from "../platform/log.ts";
import { inTime } from "../platform/patience.ts";
import { listDue } from "./channel-queries.ts";
import type { Queued } from "../platform/db/message-types.ts";

/** Messages per call of the consumer: a few seconds' work, six at a time. */
export const IDS_AT_ONCE = 50;
/** The queue takes 100 of its messages and 256 kB per call; these are 130 kB at most. */
const QUEUED_AT_ONCE = 50;
/** Maximum messages of a kind per sweep. Messages that already wait in the queue are among them. */
const MOST_HANDED = 1_000;

function inPieces<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/**
 * Enqueues messages. Never throws.
 * @returns false if there is no queue, or it did not take all of them: the caller still has to send them
 */
export async function handOver(context: Context, ids: readonly string[]): Promise<boolean> {
  const { MESSAGE_QUEUE: queue } = context;
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
 * Enqueues the messages that are due now.
 * @returns false if there is no queue, or it did not take all of them
 * @throws D1's errors
 */
export async function handOverDue(context: Context, now: number): Promise<boolean> {
  if (!context.MESSAGE_QUEUE) return false;
  return handOver(context, await listDue(context, now, MOST_HANDED));
}
