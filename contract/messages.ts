/** Outgoing messages as admins see them, and the settings they can change. */
import * as z from "zod/mini";

import { readPhone } from "./phone.ts";
import { phoneSchema } from "./phone-fields.ts";
import { requiredEmailSchema } from "./text-fields.ts";

export const MESSAGE_CHANNELS = ["email", "push", "sms"] as const;
export type AdminChannel = (typeof MESSAGE_CHANNELS)[number];

/** A channel in GET /api/super-admin/messages/channels. */
export type ChannelState = {
  channel: AdminChannel;
  /** Whether this deployment is configured to send on the channel. */
  isReady: boolean;
  isOn: boolean;
  /**
   * Limit per day in Sydney; null for notifications, which have none. For emails, it covers only those that a visitor
   * can trigger.
   */
  mostADay: number | null;
};

/** A message that failed in the last week, without its text and with a masked recipient. */
export type MessageSummary = {
  id: string;
  channel: string;
  template: string;
  attempts: number;
  /** Masked recipient, such as "m…@g….com"; null for a device, or when there is none yet. */
  to: string | null;
  /** Id of a lead or an account. */
  about: string | null;
  /** Whether the recipient's server permanently refused the email. */
  hasBounced: boolean;
  createdAt: number;
  triedAt: number | null;
};

const DAILY_LIMIT_ERROR = "Please enter a number from 0 to 100,000";

/** Body of PUT /api/super-admin/messages/channels/:id. Without `mostADay` the channel has its default limit. */
export const channelSettingSchema = z.object({
  isOn: z.boolean("On or off?"),
  mostADay: z.optional(
    z.int(DAILY_LIMIT_ERROR).check(z.minimum(0, DAILY_LIMIT_ERROR), z.maximum(100_000, DAILY_LIMIT_ERROR)),
  ),
});
export type ChannelSetting = z.infer<typeof channelSettingSchema>;

export const channelIdSchema = z.enum(MESSAGE_CHANNELS, "Which channel?");

const INVALID_RECIPIENT = "Please enter an email address or phone number";

const recipientSchema = z.union(
  [
    requiredEmailSchema(INVALID_RECIPIENT),
    phoneSchema(INVALID_RECIPIENT).check(z.refine((typed) => readPhone(typed) !== null, INVALID_RECIPIENT)),
  ],
  INVALID_RECIPIENT,
);

/**
 * Body of POST /api/super-admin/messages/person. The recipient is in the body so that it does not appear in a log.
 */
export const messageRecipientSchema = z.object({ address: recipientSchema });

/** Whether an address or number has opted out of messages about requests. `since` is epoch ms; null if it has not. */
export type MessageStop = { channel: "email" | "sms"; since: number | null };

/** Body of PUT /api/super-admin/messages/stops. */
export const messageStopSchema = z.object({
  address: recipientSchema,
  isStopped: z.boolean("Stop them or not?"),
});
