import type { AdminChannel } from "../../contract/messages.ts";

export const CHANNEL_NAMES: Readonly<Record<AdminChannel, string>> = {
  email: "Email",
  push: "Notification",
  sms: "Text message",
};

/** The name of a list of messages in its query key. */
export const MESSAGES = "messages";

/** A channel's name; what has yet to be spread becomes notifications. */
export function channelName(channel: string): string {
  return CHANNEL_NAMES[channel as AdminChannel] ?? CHANNEL_NAMES.push;
}
