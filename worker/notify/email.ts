import { type Env, settings } from "../env.ts";
import { inTime } from "../patience.ts";

/** One message to one person, in plain words and as HTML. */
export type Message = { to: string; subject: string; text: string; html: string };

/** Whether this deployment can send email: it has the binding and an address to send from. */
export function canSendEmail(env: Env): boolean {
  return settings(env).emailFrom !== null && env.EMAIL !== undefined;
}

/**
 * Sends a message through Cloudflare's Email Service. Nothing but this file knows by what.
 * @throws Error when email is not set up or the service takes longer than ten seconds, or the service's own error
 */
export async function sendEmail(env: Env, message: Message): Promise<void> {
  const { emailFrom } = settings(env);
  if (!env.EMAIL || !emailFrom) throw new Error("Email is not set up");
  await inTime(env.EMAIL.send({ from: { email: emailFrom, name: "Naturestrip" }, ...message }));
}
