/** Sends messages before the next sweep: through the queue, or after the response. */
import * as z from "zod/mini";

import type { Context } from "../platform/context.ts";
import { log, withRequestId } from "../platform/log.ts";
import { canSend } from "../outbox/channel-queries.ts";
import { deliver, sweepMessages } from "./deliver-commands.ts";
import { EMAIL_EVENTS_QUEUE, recordEmailEvents } from "./email-event-commands.ts";
import { enqueueIds, enqueueDue, IDS_PER_MESSAGE } from "./queue-commands.ts";

/**
 * Sends due messages before the next sweep. Uses the queue, or sends them directly if the queue is unavailable. After a
 * failure the sweep sends them.
 * @param ids only these messages; null for all due messages
 */
export async function deliverNow(context: Context, ids: readonly string[] | null): Promise<void> {
  if (!canSend(context)) return;
  try {
    const now = Date.now();
    if (ids ? await enqueueIds(context, ids) : await enqueueDue(context, now)) return;
    await (ids ? deliver(context, ids, now) : sweepMessages(context, now));
  } catch (error) {
    log("warn", "messages_delayed", { error });
  }
}

/** Calls `deliverNow` after the response to a request. */
export function deliverLater(
  context: Context,
  ctx: Pick<ExecutionContext, "waitUntil">,
  ids: readonly string[] | null,
): void {
  ctx.waitUntil(deliverNow(context, ids));
}

const queuedSchema = z.object({
  ids: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(IDS_PER_MESSAGE)),
});

/**
 * Handles one queue message, so that none delays another. Acknowledges an unreadable message: a retry cannot fix it,
 * and its messages are due in D1.
 */
async function handleQueueMessage(queued: Message, context: Context): Promise<void> {
  const { success, data } = queuedSchema.safeParse(queued.body);
  if (!success) {
    log("error", "queue_unreadable", { queuedId: queued.id });
    queued.ack();
    return;
  }
  try {
    const counts = await deliver(context, data.ids, Date.now());
    if (Object.values(counts).some((count) => count > 0))
      log(counts.failed ? "warn" : "info", "message_queue", counts);
    queued.ack();
  } catch (error) {
    // The retry skips messages that are still leased and sends the others.
    log("warn", "queue_delayed", { queuedId: queued.id, attempts: queued.attempts, error });
    queued.retry();
  }
}

/** Sends the messages of a queue batch. Redelivery sends nothing twice, because only one worker can lease a message. */
async function sendQueued(batch: MessageBatch, context: Context): Promise<void> {
  for (const queued of batch.messages)
    await withRequestId(`queue_${crypto.randomUUID()}`, () => handleQueueMessage(queued, context));
}

/** Handles a batch of either queue. */
export const consume = (batch: MessageBatch, context: Context): Promise<void> =>
  batch.queue === EMAIL_EVENTS_QUEUE ? recordEmailEvents(batch, context) : sendQueued(batch, context);
