/** The default settings of the channels, and how much of a recipient an admin sees. */
import type { MessageChannel } from "../platform/db/message-types.ts";

export type Channel = Exclude<MessageChannel, "spread">;

export const CHANNELS_IN_WORDS: Readonly<Record<Channel, string>> = {
  email: "Emails",
  push: "Notifications",
  sms: "Texts",
};

/**
 * Default limits per 24 hours: above a busy day, below what would ruin our reputation as a sender. For emails, it
 * counts only those that strangers cause.
 */
export const USUAL_LIMIT: Readonly<Record<Channel, number>> = { email: 1_000, push: 50_000, sms: 200 };

/** Defaults. Texts cost money and ring, so an admin has to turn them on. */
export const USUALLY_ON: Readonly<Record<Channel, boolean>> = { email: true, push: true, sms: false };

/**
 * Shortens a recipient. An admin on the phone can recognise it, but cannot write to it.
 * @returns null for a device: its id says nothing
 */
export function shortened(recipient: string | null): string | null {
  const [, end3] = /^\+\d+(\d{3})$/.exec(recipient ?? "") ?? [];
  if (end3) return `…${end3}`;
  const [, first, domain, end] = /^(.)[^@]*@(.).*(\.[^.]+)$/su.exec(recipient ?? "") ?? [];
  return first && domain ? `${first}…@${domain}…${end}` : null;
}
