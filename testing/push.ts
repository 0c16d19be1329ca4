/** For tests of push notifications: settings, the push service, and users who allow notifications. */
import { eq } from "drizzle-orm";
import { vi } from "vitest";

import { MINUTE_MS } from "../contract/durations.ts";
import { formatSydneyTime } from "../contract/sydney-time.ts";
import { messages } from "../worker/tables.ts";
import type { Bindings } from "../worker/platform/env.ts";
import { callerFor, callWith, db, testEnv } from "./client.ts";
import { newPushKeys, PushStandIn, type Subscription } from "./stand-ins/push-stand-in.ts";
import { insertUser } from "./world.ts";
import { deliverMessages } from "./drivers.ts";

const PUSH_KEYS = await newPushKeys();
const PUSH_STAND_IN = "http://push.test";

/** Settings that enable notifications. */
export const PUSH_SETTINGS = { PUSH_KEYS, PUSH_STAND_IN } satisfies Partial<Bindings>;
export const pushEnv: Bindings = { ...testEnv, ...PUSH_SETTINGS };

/** The push service of the running test file, behind the Worker's fetch. */
export function usePushStandIn(): PushStandIn {
  const service = new PushStandIn(PUSH_KEYS);
  const before = globalThis.fetch;
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    return request.url.startsWith(PUSH_STAND_IN) ? service.fetch(request) : before(input, init);
  });
  return service;
}

/** Enables notifications for a browser. @returns the response */
export const allowNotifications = (cookie: string, { endpoint, p256dh, auth }: Subscription) =>
  callWith(PUSH_SETTINGS, "POST", "/api/notifications/devices", { cookie, body: { endpoint, p256dh, auth } });

/** Inserts a provider who watches the inner west and allows notifications, without quiet hours. */
export async function newRecipient(
  service: PushStandIn,
  overrides: Parameters<typeof insertUser>[1] = {},
  quiet: { startsAt: string; endsAt: string } | null = null,
) {
  const user = await insertUser(db, overrides);
  const as = await callerFor(user.id);
  const subscription = await service.subscribe();
  const response = await allowNotifications(as.cookie, subscription);
  if (response.status !== 201) throw new Error(`Not allowed: ${response.status} ${await response.text()}`);
  const { id: deviceId } = (await response.json()) as { id: string };
  await as("PUT", "/api/notifications/quiet-hours", {
    isOn: quiet !== null,
    ...(quiet ?? { startsAt: "20:00", endsAt: "07:00" }),
  });
  return { user, as, subscription, deviceId };
}

/** Sends the due messages, and any that these enqueue, as if it were `now`. */
export async function deliverAll(now = Date.now()) {
  await deliverMessages(now, pushEnv);
  return deliverMessages(now, pushEnv);
}

const clockAt = (at: number) => formatSydneyTime(at).slice(-5);

/** Sends the due messages in a user's quiet hours, which then end. They reach the user with the next delivery. */
export async function deliverInQuietHours(as: Awaited<ReturnType<typeof callerFor>>) {
  const hours = { startsAt: clockAt(Date.now()), endsAt: clockAt(Date.now() + 5 * MINUTE_MS) };
  const set = (isOn: boolean) => as("PUT", "/api/notifications/quiet-hours", { ...hours, isOn });
  await set(true);
  await deliverAll();
  await set(false);
}

/** Returns the messages enqueued for a device. */
export const messagesFor = (deviceId: string) =>
  db.select().from(messages).where(eq(messages.recipient, deviceId));
