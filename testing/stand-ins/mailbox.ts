/** For tests of email: settings, and the emails that were sent. */
import type { Bindings } from "../../worker/platform/env.ts";

export type SentMail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
};

/** @param isFailing whether the service rejects every message */
export function mailbox({ isFailing = false } = {}) {
  const sent: SentMail[] = [];
  const send = async (message: SentMail) => {
    if (isFailing) throw new Error("The mail service is away");
    sent.push(message);
    return { messageId: "1" };
  };
  /** For `callWith`. */
  const changed = { EMAIL: { send }, EMAIL_FROM: "hello@example.com" } as unknown as Partial<Bindings>;
  return { sent, changed };
}
