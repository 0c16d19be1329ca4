import type { Act } from "../../identity/audit/act.ts";
import type { UserRow } from "../../platform/session.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";
import { canSendEmail, sendEmail } from "../../outbox/email.ts";
import { renderMail } from "../../outbox/email-layout.ts";
import { addNote } from "../../identity/providers/note-commands.ts";
import { greetingOf } from "../../../contract/names.ts";
import type { EmailContent } from "../../outbox/message.ts";

/** Builds an email that an admin wrote to a provider. */
const adminMail = (
  firstName: string,
  text: string,
  { contactPhone, contactEmail }: Context["settings"],
): EmailContent => ({
  subject: "A message from Naturestrip",
  parts: [
    greetingOf(firstName),
    ...text.split(/\n{2,}/),
    `Questions? Call us on ${contactPhone} or email ${contactEmail}.`,
  ],
});

/**
 * Sends an email to a provider, and stores its text as a note.
 * @throws DomainError email_unavailable if there is no email service or address, or if sending failed
 */
export async function messageProvider(
  context: Context,
  user: UserRow,
  text: string,
  act: Act,
): Promise<void> {
  if (!user.email || !canSendEmail(context)) throw new DomainError("email_unavailable");
  try {
    const letter = renderMail(adminMail(user.firstName, text, context.settings), context.settings);
    await sendEmail(context, { to: user.email, ...letter });
  } catch (error) {
    log("warn", "message_not_sent", { userId: user.id, error });
    throw new DomainError("email_unavailable", "The email wasn't sent. Try again in a minute.");
  }
  await addNote(context.db, { providerId: user.id, kind: "message", text }, "user.message", act);
}
