/** How channels are used until an admin says otherwise, and how much of a recipient an admin is shown. */
import type { MessageChannel } from "../db/message-types.ts";

/** What an admin can switch. */
export type Channel = Exclude<MessageChannel, "spread">;

/** What an admin reads of a channel's messages. */
export const CHANNELS_IN_WORDS: Readonly<Record<Channel, string>> = {
  email: "Emails",
  push: "Notifications",
  sms: "Texts",
};

/**
 * Messages within 24 hours: more than a busy day, less than would cost us our good name. Of emails, those that
 * others cause.
 */
export const USUAL_LIMIT: Readonly<Record<Channel, number>> = { email: 1_000, push: 50_000, sms: 200 };

/** Texts cost money and ring: they begin when an admin says so. */
export const USUALLY_ON: Readonly<Record<Channel, boolean>> = { email: true, push: true, sms: false };

/**
 * Enough of a recipient to recognise it by, when its person is on the phone, and too little to write to.
 * @returns null for a device, whose id says nothing
 */
export function shortened(recipient: string | null): string | null {
  const [, end3] = /^\+\d+(\d{3})$/.exec(recipient ?? "") ?? [];
  if (end3) return `…${end3}`;
  const [, first, domain, end] = /^(.)[^@]*@(.).*(\.[^.]+)$/su.exec(recipient ?? "") ?? [];
  return first && domain ? `${first}…@${domain}…${end}` : null;
}
