/** What admins see of the messages that go out, and what they decide about them. */
import * as z from "zod/mini";

import { canBeCalled } from "./phone.ts";
import { phoneSchema, requiredEmailSchema } from "./text-fields.ts";

export const MESSAGE_CHANNELS = ["email", "push", "sms"] as const;
export type AdminChannel = (typeof MESSAGE_CHANNELS)[number];

/** A channel as it stands. Times are epoch ms. */
export type ChannelState = {
  channel: AdminChannel;
  /** Whether this deployment has what it takes to send on it. */
  isReady: boolean;
  isOn: boolean;
  /** The most within 24 hours; of emails, those that strangers can cause. */
  mostADay: number;
  /** Messages that should have gone by now. */
  due: number;
  oldestDueAt: number | null;
  /** When the most a day is used up: when the next may go; null while there is room. */
  limit: { nextAt: number | null } | null;
  /** What its messages of the last 24 hours cost, reckoned; null where they cost nothing each. */
  costCents: number | null;
};

/** What became of messages of a kind, of those that were written in the last 24 hours; all that wait. */
export type TemplateCount = {
  channel: AdminChannel;
  template: string;
  sent: number;
  failed: number;
  /** Too late, or no longer wanted. */
  ended: number;
  waiting: number;
};

/** GET /api/super-admin/messages/channels. */
export type MessagesOverview = {
  channels: ChannelState[];
  templates: TemplateCount[];
  /** False when there were more than are counted: the newest are. */
  isWhole: boolean;
};

/** What a list of messages shows: those that failed, that wait, or all that are over. */
export const MESSAGE_VIEWS = ["failed", "waiting", "over"] as const;
export type MessageView = (typeof MESSAGE_VIEWS)[number];

/** One message: never its words, and never the whole of whom it goes to. */
export type MessageLine = {
  id: string;
  channel: string;
  template: string;
  state: string;
  attempts: number;
  /** Enough of the recipient to recognise it, such as "m…@g….com"; null where a device is meant, or nobody yet. */
  to: string | null;
  /** A lead's or an account's id. */
  about: string | null;
  createdAt: number;
  triedAt: number | null;
};

const MOST = "A number from 0 to 100,000";

/** Body of PUT /api/super-admin/messages/channels/:id. */
export const channelSettingSchema = z.object({
  isOn: z.boolean("On or off?"),
  mostADay: z.int(MOST).check(z.minimum(0, MOST), z.maximum(100_000, MOST)),
});
export type ChannelSetting = z.infer<typeof channelSettingSchema>;

export const channelIdSchema = z.enum(MESSAGE_CHANNELS, "Which channel?");

const WHOSE = "Please enter an email address or phone number";

const recipientSchema = z.union(
  [requiredEmailSchema(WHOSE), phoneSchema(WHOSE).check(z.refine(canBeCalled, WHOSE))],
  WHOSE,
);

/**
 * Body of POST /api/super-admin/messages/person, and of `history`, which windows of last week ask: in the body, so
 * that neither stands in a log.
 */
export const messageHistorySchema = z.object({ address: recipientSchema });

/** Whether messages about requests to an address (`email`) or a number (`sms`) are stopped: since when, epoch ms. */
export type MessageStop = { channel: "email" | "sms"; since: number | null };

/** Answer of POST /api/super-admin/messages/person: what went to an address or a number, and whether more does. */
export type MessagePerson = { lines: MessageLine[]; stop: MessageStop };

/** Body of PUT /api/super-admin/messages/stops. */
export const messageStopSchema = z.object({
  address: recipientSchema,
  isStopped: z.boolean("Stop them or not?"),
});
