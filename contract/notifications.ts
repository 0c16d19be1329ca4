import * as z from "zod/mini";

import type { TeamAlerts } from "./team.ts";
import type { LeadAlerts } from "./lead-alerts.ts";

/** Quiet hours of whoever has not chosen their own, in Sydney. */
export const USUAL_QUIET_HOURS: QuietHours = { isOn: true, startsAt: "20:00", endsAt: "07:00" };

/** A person is told on so many devices; one more takes the place of the oldest. */
export const MAX_PUSH_DEVICES = 10;

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const clockSchema = z.string("A time such as 20:00").check(z.regex(CLOCK, "A time such as 20:00"));

/** When nobody is to be woken, in Sydney's time. */
export type QuietHours = { isOn: boolean; startsAt: string; endsAt: string };

/** Body of PUT /api/notifications/quiet-hours. */
export const quietHoursSchema = z
  .object({ isOn: z.boolean("Yes or no"), startsAt: clockSchema, endsAt: clockSchema })
  .check(
    z.refine(({ startsAt, endsAt }) => startsAt !== endsAt, {
      path: ["endsAt"],
      error: "Choose two different times",
    }),
  );

/** Body of POST /api/notifications/devices: what a browser says of its subscription. */
export const pushSubscriptionSchema = z.object({
  endpoint: z
    .string("The browser's address for messages")
    .check(
      z.maxLength(1000, "The browser's address for messages"),
      z.regex(/^https:\/\//, "The browser's address for messages"),
    ),
  /** A point of P-256, uncompressed, and 16 bytes; base64url. */
  p256dh: z.string("The browser's key").check(z.regex(/^B[\w-]{86}$/, "The browser's key")),
  auth: z.string("The browser's secret").check(z.regex(/^[\w-]{22}$/, "The browser's secret")),
});
export type PushSubscriptionForm = z.infer<typeof pushSubscriptionSchema>;

export const pushDeviceIdSchema = z.string().check(z.regex(/^psh_[0-9a-z]{8,40}$/));

/** A browser that rings. */
export type PushDevice = {
  id: string;
  /** Browser and system in words, e.g. "Safari on iPhone". */
  device: string;
  /** The one that asks. */
  isCurrent: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
};

/** What GET /api/notifications answers. */
export type NotificationSettings = {
  /** What a browser subscribes with; null while notifications are not set up here. */
  publicKey: string | null;
  quietHours: QuietHours;
  leadAlerts: LeadAlerts;
  devices: PushDevice[];
  /** What their owner has a team member told of; null for owners. */
  given: TeamAlerts | null;
};
