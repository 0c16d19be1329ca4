/**
 * Enqueues the ids of due messages. Content, recipients and results stay in D1. Messages that the queue loses, repeats
 * or refuses are still due in D1.
 */
import type { Context } from "../platform/context.ts";
import { log } from "../platform/log.ts";
import { withTimeout } from "../platform/timeout.ts";
import { listDue } from "../outbox/channel-queries.ts";
import type { Queued } from "../platform/db/messages.ts";

/** Ids per queue message: a few seconds' work for the consumer, six at a time. */
export const IDS_PER_MESSAGE = 50;
/** Queue messages per call. The queue accepts 100 messages and 256 kB; these are 130 kB at most. */
const QUEUE_BATCH_SIZE = 50;
/** Maximum messages of each kind per sweep, including those already in the queue. */
const MAX_ENQUEUED = 1_000;

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/**
 * Enqueues messages. Never throws.
 * @returns false if there is no queue or it did not accept all messages; the caller must then send them
 */
export async function enqueueIds(context: Context, ids: readonly string[]): Promise<boolean> {
  const { MESSAGE_QUEUE: queue } = context;
  if (!queue) return false;
  const bodies = chunk(ids, IDS_PER_MESSAGE).map((some) => ({ body: { ids: some } satisfies Queued }));
  try {
    for (const some of chunk(bodies, QUEUE_BATCH_SIZE)) await withTimeout(queue.sendBatch(some));
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
export async function enqueueDue(context: Context, now: number): Promise<boolean> {
  if (!context.MESSAGE_QUEUE) return false;
  return enqueueIds(context, await listDue(context, now, MAX_ENQUEUED));
}
