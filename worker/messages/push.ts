/** The channel of push messages. Only this file knows how they are encrypted and sent. */
import { buildPushPayload } from "@block65/webcrypto-web-push";

import type { Settings } from "../platform/env.ts";
import type { PushContent } from "../outbox/template.ts";
import { askedWait, type SendOutcome } from "./sender.ts";

/** The push services of the known browsers: Chrome and its family, Firefox, Edge on Windows, Safari. */
const PUSH_SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^(updates\.)?push\.services\.mozilla\.com$/,
  /^[a-z0-9-]+\.notify\.windows\.com$/,
  /^web\.push\.apple\.com$/,
];

/** Browsers in tests subscribe under this host. Calls to it go to PUSH_STAND_IN. */
export const STAND_IN_HOST = "push.naturestrip.test";

/**
 * Returns the address to call for a device's endpoint. The client chose the endpoint, so it may be any address. Only
 * known push services are called, over https and at their usual port.
 * @param standIn where calls to the stand-in's host go; null if there is none
 * @returns null for an address that is never called
 */
export function pushAddress(endpoint: string, standIn: string | null): URL | null {
  const url = URL.parse(endpoint);
  if (!url || url.protocol !== "https:" || url.port || url.username || url.password) return null;
  if (standIn && url.hostname === STAND_IN_HOST) {
    const address = new URL(standIn);
    // Assigned, not resolved: a path such as `//host/path` would name another host.
    address.pathname = url.pathname;
    return address;
  }
  return PUSH_SERVICES.some((service) => service.test(url.hostname)) ? url : null;
}

export type PushSettings = NonNullable<Settings["push"]>;

export type PushTarget = { endpoint: string; p256dh: string; auth: string };

/** A service that takes longer has not taken the message. */
const PATIENCE_MS = 10_000;

function outcomeOf(response: Response, now: number): SendOutcome {
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  const detail = { status };
  if (status === 429 || status >= 500) {
    const afterMs = askedWait(response.headers.get("Retry-After"), now);
    return { kind: status === 429 ? "busy" : "later", afterMs, detail };
  }
  return { kind: "refused", detail };
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
): Promise<SendOutcome> {
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
    return { kind: "later", afterMs: null, detail: { status: 0 } };
  }
}
