/** A queue for tests inside workerd: it keeps what it is given until it is told to hand that on. */
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";

import type { Env } from "../worker/platform/env.ts";
import { sendQueued } from "../worker/messages/consume-commands.ts";

/** A batch of the queue. @returns what the consumer said of each: by their places in `bodies` */
export async function consume(env: Env, bodies: readonly unknown[]) {
  const sent = bodies.map((body, i) => ({ id: String(i), timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch("naturestrip-messages", sent);
  await sendQueued(batch, env);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { acked: explicitAcks, retried: retryMessages.map(({ msgId }) => msgId) };
}

export class QueueStandIn {
  /** What was taken and not yet handed on. */
  waiting: unknown[] = [];
  /** Everything that was ever taken. */
  readonly taken: unknown[] = [];
  /** Full, or away: it takes nothing. */
  isAway = false;

  /** As a binding. */
  get binding(): NonNullable<Env["MESSAGE_QUEUE"]> {
    const sendBatch = async (messages: Iterable<{ body: unknown }>) => {
      if (this.isAway) throw new Error("Queue sendBatch failed: Too Many Requests");
      const bodies = [...messages].map(({ body }) => structuredClone(body));
      if (bodies.length > 100)
        throw new Error("Queue sendBatch failed: batch message count exceeds limit of 100");
      this.waiting.push(...bodies);
      this.taken.push(...bodies);
    };
    return { sendBatch } as unknown as NonNullable<Env["MESSAGE_QUEUE"]>;
  }

  /** Hands on what it has, and what comes of that, until it has nothing. */
  async drain(env: Env): Promise<void> {
    while (this.waiting.length > 0) await consume(env, this.waiting.splice(0, 1));
  }
}
