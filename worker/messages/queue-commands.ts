/**
 * Enqueues the ids of due messages. Content, recipients and results stay in D1. Messages that the queue loses, repeats
 * or refuses are still due in D1.
 */
import type { Context } from "../platform/context.ts";
import { log } from "../platform/log.ts";
import { inTime } from "../platform/patience.ts";
import { listDue } from "./channel-queries.ts";
import type { Queued } from "../platform/db/message-types.ts";

/** Ids per queue message: a few seconds' work for the consumer, six at a time. */
export const IDS_AT_ONCE = 50;
/** Queue messages per call. The queue accepts 100 messages and 256 kB; these are 130 kB at most. */
const QUEUED_AT_ONCE = 50;
/** Maximum messages of each kind per sweep, including those already in the queue. */
const MOST_HANDED = 1_000;

function inPieces<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/**
 * Enqueues messages. Never throws.
 * @returns false if there is no queue or it did not accept all messages; the caller must then send them
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
 * @returns false if there is no queue or it did not accept all messages
 * @throws D1's errors
 */
export async function handOverDue(context: Context, now: number): Promise<boolean> {
  if (!context.MESSAGE_QUEUE) return false;
  return handOver(context, await listDue(context, now, MOST_HANDED));
}
