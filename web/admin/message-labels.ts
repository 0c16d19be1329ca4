import type { AdminChannel } from "../../contract/messages.ts";

export const CHANNEL_LABELS: Readonly<Record<AdminChannel, string>> = {
  email: "Email",
  push: "Notification",
  sms: "Text message",
};

/** Returns a channel's name. A message without a final channel counts as a notification. */
export function channelName(channel: string): string {
  return CHANNEL_LABELS[channel as AdminChannel] ?? CHANNEL_LABELS.push;
}
