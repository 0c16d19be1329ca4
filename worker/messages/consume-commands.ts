/** The queue's consumer: sends the messages whose ids it is given. */
import * as z from "zod/mini";

import type { Env } from "../env.ts";
import { log, traced } from "../log.ts";
import { deliver } from "./deliver-commands.ts";
import { IDS_AT_ONCE } from "./queue-commands.ts";

const queuedSchema = z.object({
  ids: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(IDS_AT_ONCE)),
});

/**
 * One of the queue's messages, handled by itself: none keeps another waiting. One that nobody can read is let go,
 * for it will never be readable, and what it may have meant is due in D1.
 */
async function sendOne(queued: Message, env: Env): Promise<void> {
  const { success, data } = queuedSchema.safeParse(queued.body);
  if (!success) {
    log("error", "queue_unreadable", { queuedId: queued.id });
    queued.ack();
    return;
  }
  try {
    const counts = await deliver(env, data.ids, Date.now());
    if (Object.values(counts).some((count) => count > 0))
      log(counts.failed ? "warn" : "info", "message_queue", counts);
    queued.ack();
  } catch (error) {
    // What was taken has its lease; what was not is asked for again.
    log("warn", "queue_delayed", { queuedId: queued.id, attempts: queued.attempts, error });
    queued.retry();
  }
}

/** Sends what a batch of the queue names. Redelivered it sends nothing twice: who takes a message has it alone. */
export async function sendQueued(batch: MessageBatch, env: Env): Promise<void> {
  for (const queued of batch.messages)
    await traced(`queue_${crypto.randomUUID()}`, () => sendOne(queued, env));
}
