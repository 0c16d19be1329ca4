import type { AdminChannel } from "../../contract/messages.ts";

export const CHANNEL_NAMES: Readonly<Record<AdminChannel, string>> = {
  email: "Email",
  push: "Notification",
  sms: "Text message",
};

/** The message lists' name in their query keys. */
export const MESSAGES = "messages";

/** Returns a channel's name. A message without its final channel yet counts as notifications. */
export function channelName(channel: string): string {
  return CHANNEL_NAMES[channel as AdminChannel] ?? CHANNEL_NAMES.push;
}
