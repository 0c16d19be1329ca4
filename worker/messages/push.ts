/** The push channel: encrypts and sends notifications. */
import { buildPushPayload } from "@block65/webcrypto-web-push";

import type { Settings } from "../platform/env.ts";
import type { PushContent } from "../outbox/message.ts";
import { parseRetryAfter, type SendOutcome } from "./sender.ts";

/** Hosts of the push services that browsers use: Chromium browsers, Firefox, Edge on Windows, Safari. */
const PUSH_SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^(updates\.)?push\.services\.mozilla\.com$/,
  /^[a-z0-9-]+\.notify\.windows\.com$/,
  /^web\.push\.apple\.com$/,
];

/** Browsers in tests subscribe with this host. The Worker sends its calls to PUSH_STAND_IN. */
export const STAND_IN_HOST = "push.naturestrip.test";

/**
 * Returns the URL to call for a device's endpoint. The client chose the endpoint, so it may be any URL. Allows only
 * known push services, over https and on the default port.
 * @param standIn URL that replaces the stand-in's host; null if there is none
 * @returns null if the endpoint is not allowed
 */
export function pushAddress(endpoint: string, standIn: string | null): URL | null {
  const url = URL.parse(endpoint);
  if (!url || url.protocol !== "https:" || url.port || url.username || url.password) return null;
  if (standIn && url.hostname === STAND_IN_HOST) {
    const address = new URL(standIn);
    // Assign the path instead of resolving it: `//host/path` would resolve to another host.
    address.pathname = url.pathname;
    return address;
  }
  return PUSH_SERVICES.some((service) => service.test(url.hostname)) ? url : null;
}

export type PushSettings = NonNullable<Settings["push"]>;

export type PushTarget = { endpoint: string; p256dh: string; auth: string };

/** Timeout of a call. A timeout counts as not sent. */
const TIMEOUT_MS = 10_000;

function outcomeOf(response: Response, now: number): SendOutcome {
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  const detail = { status };
  if (status === 429 || status >= 500) {
    const afterMs = parseRetryAfter(response.headers.get("Retry-After"), now);
    return { kind: status === 429 ? "busy" : "later", afterMs, detail };
  }
  return { kind: "refused", detail };
}

/**
 * Sends one message to the push service of its device. Encrypts it for that browser (RFC 8291) and signs it with our
 * key (RFC 8292). Never throws, never follows a redirect, and never calls an unknown host.
 * @param ttlSeconds how long the service stores it while the device is offline
 */
export async function sendPush(
  push: PushSettings,
  { endpoint, p256dh, auth }: PushTarget,
  { content, ttlSeconds }: { content: PushContent; ttlSeconds: number },
): Promise<SendOutcome> {
  const address = pushAddress(endpoint, push.standIn);
  if (!address) return { kind: "gone" };
  const { topic, urgency, ...notification } = content;
  let sealed: Awaited<ReturnType<typeof buildPushPayload>>;
  try {
    sealed = await buildPushPayload(
      {
        // Declarative Web Push: Safari shows it without a service worker. Other browsers use ours.
        data: { web_push: 8030, notification: { ...notification, lang: "en-AU", dir: "ltr" } },
        options: { ttl: Math.max(1, Math.round(ttlSeconds)), urgency, topic },
      },
      { endpoint, expirationTime: null, keys: { p256dh, auth } },
      push,
    );
  } catch {
    // The key is not a point on the curve, so no message can be encrypted for it.
    return { kind: "gone" };
  }
  const { headers, body } = sealed;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(address, { method: "POST", headers, body, signal, redirect: "manual" });
    await response.body?.cancel();
    return outcomeOf(response, Date.now());
  } catch {
    return { kind: "later", afterMs: null, detail: { status: 0 } };
  }
}
