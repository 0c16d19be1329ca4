/** A queue for tests inside workerd. It stores messages until a test drains it. */
import { contextOf } from "../worker/platform/context.ts";
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";

import type { Bindings } from "../worker/platform/env.ts";
import { consume } from "../worker/messages/dispatch-commands.ts";

/** Delivers a batch to the consumer. @returns the consumer's results, by index in `bodies` */
export async function runConsumer(env: Bindings, bodies: readonly unknown[], queue = "naturestrip-messages") {
  const sent = bodies.map((body, i) => ({ id: String(i), timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch(queue, sent);
  await consume(batch, contextOf(env));
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { acked: explicitAcks, retried: retryMessages.map(({ msgId }) => msgId) };
}

export class QueueStandIn {
  /** Messages that are accepted but not yet delivered. */
  waiting: unknown[] = [];
  /** All messages ever accepted. */
  readonly taken: unknown[] = [];
  /** Whether it is full or unreachable. Then it accepts no messages. */
  isUnavailable = false;

  /** The queue as a binding. */
  get binding(): NonNullable<Bindings["MESSAGE_QUEUE"]> {
    const sendBatch = async (messages: Iterable<{ body: unknown }>) => {
      if (this.isUnavailable) throw new Error("Queue sendBatch failed: Too Many Requests");
      const bodies = [...messages].map(({ body }) => structuredClone(body));
      if (bodies.length > 100)
        throw new Error("Queue sendBatch failed: batch message count exceeds limit of 100");
      this.waiting.push(...bodies);
      this.taken.push(...bodies);
    };
    return { sendBatch } as unknown as NonNullable<Bindings["MESSAGE_QUEUE"]>;
  }

  /** Delivers its messages, and any enqueued during delivery, until it is empty. */
  async drain(env: Bindings): Promise<void> {
    while (this.waiting.length > 0) await runConsumer(env, this.waiting.splice(0, 1));
  }
}
