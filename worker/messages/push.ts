/** The channel of push messages. Only this file knows how they are encrypted and sent. */
import { buildPushPayload } from "@block65/webcrypto-web-push";

import type { Settings } from "../platform/env.ts";
import type { PushContent } from "./templates.ts";
import { askedWait, pushAddress } from "./push-rules.ts";

export type PushSettings = NonNullable<Settings["push"]>;

export type PushTarget = { endpoint: string; p256dh: string; auth: string };

/**
 * `gone`: the subscription has ended for good. `refused`: the service will never take this message. `later`: a retry
 * may succeed after this many ms; null: the service did not say.
 */
export type PushOutcome =
  | { kind: "sent" }
  | { kind: "gone" }
  | { kind: "refused"; status: number }
  | { kind: "later"; afterMs: number | null; status: number };

/** A service that takes longer has not taken the message. */
const PATIENCE_MS = 10_000;

function outcomeOf(response: Response, now: number): PushOutcome {
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 429 || status >= 500)
    return { kind: "later", afterMs: askedWait(response.headers.get("Retry-After"), now), status };
  return { kind: "refused", status };
}

/**
 * Sends one message to the push service of its device. It is encrypted for that browser alone (RFC 8291) and signed
 * with our key (RFC 8292). Never throws, never follows a redirect, and never calls an unknown host.
 * @param ttlSeconds how long the service keeps it for a device that is offline
 */
export async function sendPush(
  push: PushSettings,
  { endpoint, p256dh, auth }: PushTarget,
  { content, ttlSeconds }: { content: PushContent; ttlSeconds: number },
): Promise<PushOutcome> {
  const address = pushAddress(endpoint, push.standIn);
  if (!address) return { kind: "gone" };
  const { topic, urgency, ...notification } = content;
  let sealed: Awaited<ReturnType<typeof buildPushPayload>>;
  try {
    sealed = await buildPushPayload(
      {
        // The declarative form: Safari shows it by itself, and our service worker shows it elsewhere.
        data: { web_push: 8030, notification: { ...notification, lang: "en-AU", dir: "ltr" } },
        options: { ttl: Math.max(1, Math.round(ttlSeconds)), urgency, topic },
      },
      { endpoint, expirationTime: null, keys: { p256dh, auth } },
      push,
    );
  } catch {
    // The key is not a point on the curve. No message can ever be encrypted for it.
    return { kind: "gone" };
  }
  const { headers, body } = sealed;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(address, { method: "POST", headers, body, signal, redirect: "manual" });
    await response.body?.cancel();
    return outcomeOf(response, Date.now());
  } catch {
    return { kind: "later", afterMs: null, status: 0 };
  }
}
