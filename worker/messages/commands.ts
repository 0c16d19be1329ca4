/** A user's devices, and the test message. */
import { and, desc, eq, inArray, or, sql } from "drizzle-orm";

import { MAX_PUSH_DEVICES, type PushSubscriptionForm } from "../../contract/notifications.ts";
import type { Session } from "../platform/caller.ts";
import type { BusinessScope } from "../identity/auth/rules.ts";
import type { Db } from "../platform/db/client.ts";
import { messages, pushDevices } from "../platform/db/messages.ts";
import { DomainError, TryLater } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { MINUTE_MS } from "../../contract/durations.ts";
import { replacing } from "../leads/message-words.ts";
import { enqueue } from "../outbox/commands.ts";
import { pushMessage } from "../outbox/message.ts";

/**
 * Turns notifications on for the calling browser. Replaces earlier subscriptions of the browser or its session,
 * including another user's. Above the maximum, deletes the oldest device.
 * @returns the device's id
 */
export async function addDevice(
  db: Db,
  session: Session,
  form: PushSubscriptionForm,
  { origin, now }: { origin: string; now: number },
): Promise<string> {
  const id = newId("psh");
  const isOwnDevices = eq(pushDevices.userId, session.user.id);
  const isOverLimit = db
    .select({ id: pushDevices.id })
    .from(pushDevices)
    .where(isOwnDevices)
    .orderBy(desc(pushDevices.createdAt), desc(pushDevices.id))
    .limit(MAX_PUSH_DEVICES)
    .offset(MAX_PUSH_DEVICES);
  await db.batch([
    db
      .delete(pushDevices)
      .where(
        or(eq(pushDevices.endpoint, form.endpoint), and(isOwnDevices, eq(pushDevices.sessionId, session.id))),
      ),
    db
      .insert(pushDevices)
      .values({ id, userId: session.user.id, sessionId: session.id, ...form, origin, createdAt: now }),
    db.delete(pushDevices).where(inArray(pushDevices.id, isOverLimit)),
  ]);
  return id;
}

const isOwnDevice = (scope: BusinessScope, id: string) =>
  and(eq(pushDevices.userId, scope.userId), eq(pushDevices.id, id))!;

/** Turns notifications off for one device. @throws DomainError not_found if the user has no such device */
export async function removeDevice(db: Db, scope: BusinessScope, id: string): Promise<void> {
  const deleted = await db
    .delete(pushDevices)
    .where(isOwnDevice(scope, id))
    .returning({ id: pushDevices.id });
  if (deleted.length === 0)
    throw new DomainError("not_found", "Notifications are already off on that device");
}

/** A device gets one test in this time. */
const TEST_WINDOW_MS = MINUTE_MS;

/** `window`: number of the time window. */
export const testMessage = pushMessage({
  name: "test",
  reason: "The user pressed Send a test.",
  lifetimeMs: 5 * MINUTE_MS,
  to: ({ deviceId, userId }: { deviceId: string; userId: string; window: number }) => ({
    channel: "push",
    recipient: sql`${deviceId}`,
    userId: sql`${userId}`,
    payload: {},
  }),
  key: ({ deviceId, window }) => `${deviceId}:${window}`,
  load: async ({ recipient: { origin, isTeam } }) => ({ origin, isTeam }),
  push: ({ origin, isTeam }) => ({
    title: "Notifications are working",
    // Team members receive no alerts about new leads.
    body: isTeam
      ? "This is how we'll let you know when something happens."
      : "This is how we'll tell you about a new lead.",
    navigate: `${origin}/settings?tab=alerts`,
    ...replacing("test", "high"),
  }),
});

/**
 * Enqueues a test message for one device, once a minute.
 * @returns the message's id, for sending it now
 * @throws DomainError not_found if the user has no such device; TryLater too_many_requests
 */
export async function writeTest(
  db: Db,
  scope: BusinessScope,
  deviceId: string,
  now: number,
): Promise<string> {
  const [device] = await db
    .select({ id: pushDevices.id })
    .from(pushDevices)
    .where(isOwnDevice(scope, deviceId));
  if (!device) throw new DomainError("not_found", "Notifications are off on that device");
  const id = newId("msg");
  const test = { deviceId, userId: scope.userId, window: Math.floor(now / TEST_WINDOW_MS) };
  const written = await enqueue(db, testMessage, test, now, { id }).returning({ id: messages.id });
  if (written.length > 0) return id;
  const seconds = Math.ceil((TEST_WINDOW_MS - (now % TEST_WINDOW_MS)) / 1000);
  throw new TryLater(
    "too_many_requests",
    "A test is already on its way. You can send another in a minute.",
    seconds,
  );
}
