/** Sends the push messages that a run has leased. */
import { messages } from "../platform/db/schema.ts";
import type { Env } from "../platform/env.ts";
import { log } from "../platform/log.ts";
import { makeContent, type Verdict } from "./content.ts";
import type { findLeadsToTell, Hearer } from "./queries.ts";
import { type PushSettings, sendPush } from "./push.ts";
import { retryAfter } from "./push-rules.ts";
import { putOff } from "./pause-queries.ts";
import type { PushResult, Result } from "./results.ts";

type MessageRow = typeof messages.$inferSelect;

/** How long a held lead's message waits: a hold lasts five minutes at most. */
const HELD_MS = 30_000;

/** The state of one run: the recipients, and the services that asked us to wait. */
export type PushRun = {
  env: Env;
  push: PushSettings;
  now: number;
  hearers: Map<string, Hearer>;
  busyUntil: Map<string, number>;
};

const over = ({ id, due }: MessageRow, state: MessageRow["state"]): Result => ({ id, state, due });

/** Sends one push message. @returns its result, and whether its device is gone */
export async function sendOnePush(
  run: PushRun,
  message: MessageRow,
  leadsNow: Awaited<ReturnType<typeof findLeadsToTell>>,
): Promise<PushResult> {
  const { env, push, now, hearers, busyUntil } = run;
  if (message.expiresAt <= now) return over(message, "expired");
  const hearer = hearers.get(message.recipient ?? "");
  if (!hearer) return over(message, "dropped");
  const later = putOff(message, hearer, leadsNow, now);
  if (later) return { ...over(message, "dropped"), ...later };
  const { host } = new URL(hearer.endpoint);
  const wait = (busyUntil.get(host) ?? 0) - now;
  if (wait > 0) return { id: message.id, state: "waiting", due: now + wait, untried: true };
  const verdict: Verdict = await makeContent(env, message, hearer, leadsNow, now);
  if (verdict === "unwanted") return over(message, "dropped");
  // The hold may be released, so this does not count as an attempt.
  if (verdict === "held") return { id: message.id, state: "waiting", due: now + HELD_MS, untried: true };
  if ("waitUntil" in verdict)
    return { id: message.id, state: "waiting", due: verdict.waitUntil, untried: true };
  const outcome = await sendPush(push, hearer, {
    content: verdict,
    ttlSeconds: Math.min(900, (message.expiresAt - now) / 1000),
  });
  if (outcome.kind === "sent") return over(message, "sent");
  if (outcome.kind === "gone") return { ...over(message, "dropped"), gone: hearer.id };
  const { kind, status } = outcome;
  log("warn", "push_not_taken", { messageId: message.id, host, status, attempts: message.attempts });
  if (kind === "refused") return over(message, "failed");
  const afterMs = outcome.afterMs ?? retryAfter(message.attempts);
  if (status === 429) busyUntil.set(host, now + afterMs);
  return { id: message.id, state: "waiting", due: now + afterMs };
}
