/** Sends messages without waiting for the minute's sweep: through the queue, or after the response to a request. */
import * as z from "zod/mini";

import type { Context } from "../platform/context.ts";
import { log, traced } from "../platform/log.ts";
import { canSend } from "./channel-queries.ts";
import { deliver, sweepMessages } from "./deliver-commands.ts";
import { handOver, handOverDue, IDS_AT_ONCE } from "./queue-commands.ts";

/**
 * Sends due messages without waiting for the minute's sweep. Uses the queue, or sends them here if the queue takes
 * nothing. After any failure the sweep sends them.
 * @param ids only these messages; null for all that are due
 */
export async function deliverNow(context: Context, ids: readonly string[] | null): Promise<void> {
  if (!canSend(context)) return;
  try {
    const now = Date.now();
    if (ids ? await handOver(context, ids) : await handOverDue(context, now)) return;
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
  ids: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(IDS_AT_ONCE)),
});

/**
 * Handles one queue message by itself, so that none delays another. An unreadable one is acknowledged: it will never
 * be readable, and its messages are due in D1.
 */
async function sendOne(queued: Message, context: Context): Promise<void> {
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
    // Leased messages wait for their lease to expire. The retry sends the others.
    log("warn", "queue_delayed", { queuedId: queued.id, attempts: queued.attempts, error });
    queued.retry();
  }
}

/** Sends the messages of a queue batch. Redelivery sends nothing twice: one worker at a time leases a message. */
export async function sendQueued(batch: MessageBatch, context: Context): Promise<void> {
  for (const queued of batch.messages)
    await traced(`queue_${crypto.randomUUID()}`, () => sendOne(queued, context));
}
