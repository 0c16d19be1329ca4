import { type Env, settings } from "../env.ts";
import { inTime } from "../patience.ts";

/** One message to one person, in plain words and as HTML; `headers`: of those that the service lets us set. */
export type Message = {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
};

/** Whether this deployment can send email: it has an address to send from, and the binding or, locally, a stand-in. */
export function canSendEmail(env: Env): boolean {
  const { emailFrom, messageStandIn } = settings(env);
  return emailFrom !== null && (env.EMAIL !== undefined || messageStandIn !== null);
}

/** @throws Error when the stand-in is away */
async function handToStandIn(standIn: string, message: Message): Promise<void> {
  const response = await fetch(new URL("/emails", standIn), {
    method: "POST",
    body: JSON.stringify(message),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The stand-in answered ${response.status}`);
}

/**
 * Sends a message through Cloudflare's Email Service. Nothing but this file knows by what.
 * @throws Error when email is not set up or the service takes longer than ten seconds, or the service's own error
 */
export async function sendEmail(env: Env, message: Message): Promise<void> {
  const { emailFrom, messageStandIn } = settings(env);
  if (!emailFrom) throw new Error("Email is not set up");
  if (messageStandIn) return inTime(handToStandIn(messageStandIn, message));
  if (!env.EMAIL) throw new Error("Email is not set up");
  await inTime(env.EMAIL.send({ from: { email: emailFrom, name: "Naturestrip" }, ...message }));
}
