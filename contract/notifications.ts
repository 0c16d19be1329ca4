import * as z from "zod/mini";

import type { TeamAlerts } from "./team.ts";
import type { LeadAlerts } from "./lead-alerts.ts";

/** Default quiet hours, in Sydney's time. */
export const DEFAULT_QUIET_HOURS: QuietHours = { isOn: true, startsAt: "20:00", endsAt: "07:00" };

/** Maximum devices per user. A further device replaces the oldest. */
export const MAX_PUSH_DEVICES = 10;

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const clockTimeSchema = z
  .string("Please enter a time, such as 20:00")
  .check(z.regex(CLOCK, "Please enter a time, such as 20:00"));

/** The hours in which a user gets no alerts, in Sydney's time. */
export type QuietHours = { isOn: boolean; startsAt: string; endsAt: string };

/** Body of PUT /api/notifications/quiet-hours. */
export const quietHoursSchema = z
  .object({ isOn: z.boolean("Yes or no"), startsAt: clockTimeSchema, endsAt: clockTimeSchema })
  .check(
    z.refine(({ startsAt, endsAt }) => startsAt !== endsAt, {
      path: ["endsAt"],
      error: "Choose two different times",
    }),
  );

/** Body of POST /api/notifications/devices: a browser's push subscription. */
export const pushSubscriptionSchema = z.object({
  endpoint: z
    .string("The browser's address for messages")
    .check(
      z.maxLength(1000, "The browser's address for messages"),
      z.regex(/^https:\/\//, "The browser's address for messages"),
    ),
  /** `p256dh` is an uncompressed P-256 point and `auth` has 16 bytes; base64url. */
  p256dh: z.string("The browser's key").check(z.regex(/^B[\w-]{86}$/, "The browser's key")),
  auth: z.string("The browser's secret").check(z.regex(/^[\w-]{22}$/, "The browser's secret")),
});
export type PushSubscriptionForm = z.infer<typeof pushSubscriptionSchema>;

export const pushDeviceIdSchema = z.string().check(z.regex(/^psh_[0-9a-z]{8,40}$/));

/** A browser that receives push notifications. */
export type PushDevice = {
  id: string;
  /** Browser and system, e.g. "Safari on iPhone". */
  device: string;
  /** The device that sent this request. */
  isCurrent: boolean;
  /** The push service's address of the current device, to compare with the browser's subscription; else null. */
  endpoint: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
};

/** Response of GET /api/notifications. */
export type NotificationSettings = {
  /** VAPID public key for a browser's subscription; null when notifications are not configured. */
  publicKey: string | null;
  quietHours: QuietHours;
  leadAlerts: LeadAlerts;
  devices: PushDevice[];
  /** A team member's alerts, as their owner set them; null for owners. */
  given: TeamAlerts | null;
};
