import type { AdminChannel } from "../../contract/messages.ts";

export const CHANNEL_NAMES: Readonly<Record<AdminChannel, string>> = {
  email: "Email",
  push: "Notification",
  sms: "Text message",
};

/** The name of the message lists in query keys. */
export const MESSAGES = "messages";

/** Returns a channel's name. A message without a final channel counts as a notification. */
export function channelName(channel: string): string {
  return CHANNEL_NAMES[channel as AdminChannel] ?? CHANNEL_NAMES.push;
}
