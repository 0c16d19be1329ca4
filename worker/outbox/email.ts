import type { Context } from "../platform/context.ts";
import { withTimeout } from "../platform/timeout.ts";

/** One email to one recipient, as plain text and HTML. `headers`: only headers that the email service accepts. */
export type Message = {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
};

/**
 * Returns whether this deployment can send email. It needs a sender address and either the binding or a local stand-in.
 */
export function canSendEmail(context: Context): boolean {
  const { emailFrom, messageStandIn } = context.settings;
  return emailFrom !== null && (context.EMAIL !== undefined || messageStandIn !== null);
}

/** @throws Error when the stand-in does not accept the message */
async function sendToStandIn(standIn: string, message: Message): Promise<void> {
  const response = await fetch(new URL("/emails", standIn), {
    method: "POST",
    body: JSON.stringify(message),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The stand-in answered ${response.status}`);
}

/**
 * Sends an email through Cloudflare's Email Service. Only this file uses the service.
 * @throws Error if email is not configured, on a ten-second timeout, or the service's own error
 */
export async function sendEmail(context: Context, message: Message): Promise<void> {
  const { emailFrom, messageStandIn } = context.settings;
  if (!emailFrom) throw new Error("Email is not set up");
  if (messageStandIn) return withTimeout(sendToStandIn(messageStandIn, message));
  if (!context.EMAIL) throw new Error("Email is not set up");
  await withTimeout(context.EMAIL.send({ from: { email: emailFrom, name: "Naturestrip" }, ...message }));
}
