import { and, eq, inArray, or } from "drizzle-orm";

import { greetingOf } from "../../../contract/names.ts";
import type { ProviderChange, ProviderListItem } from "../../../contract/providers.ts";
import { releaseBusiness } from "../../exchange/commands.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import { addNote, storeNote } from "../../identity/providers/commands.ts";
import { findProvider } from "../../identity/providers/queries.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import { canSendEmail, renderMail, sendEmail } from "../../outbox/email.ts";
import type { EmailContent } from "../../outbox/message.ts";
import type { Session, UserRow } from "../../platform/caller.ts";
import type { Context } from "../../platform/context.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { sessions, users } from "../../platform/db/users.ts";
import { DomainError } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";

/**
 * Activates or deactivates a provider. Deactivation signs out the provider's whole team and closes
 * their windows. The team's holds return to the market. The reason is stored as a note. An unchanged value does not
 * create an audit log entry.
 * @returns the provider after the change
 * @throws DomainError not_found; forbidden for the admin's own account
 */
export function changeProvider(
  context: Context,
  session: Session,
  id: string,
  change: ProviderChange,
  act: Act,
): Promise<ProviderListItem> {
  return retryIfChanged(async () => {
    const db = context.db;
    const before = await findProvider(db, id);
    if (!before) throw new DomainError("not_found", "Provider not found");
    refuseOwnDeactivation(session.user.id, before.id, change);
    const { actor, now: at, requestId } = act;
    const team = db
      .select({ id: users.id })
      .from(users)
      .where(or(eq(users.id, id), eq(users.teamOwnerId, id)));
    const { isActive, reason } = change;
    const isEnding = !isActive;
    const entry = {
      at,
      action: isActive ? "user.activate" : "user.deactivate",
      subjectType: "user",
      subjectId: id,
      before: { isActive: !isActive },
      after: { isActive },
      requestId,
    };
    const note = { providerId: id, kind: isActive ? "activated" : "deactivated" } as const;
    const changed =
      before.isActive === isActive
        ? []
        : [auditEntry(db, actor, entry), ...(reason ? [storeNote(db, { ...note, text: reason }, act)] : [])];
    const where = and(eq(users.id, id), eq(users.isActive, before.isActive));
    const [ended] = await guardedBatch(db, { from: users, where }, [
      db
        .delete(sessions)
        .where(
          isEnding
            ? or(inArray(sessions.userId, team), eq(sessions.impersonatorId, id))
            : eq(sessions.id, ""),
        )
        .returning({ id: sessions.id, userId: sessions.userId }),
      db.update(users).set({ isActive, updatedAt: at }).where(eq(users.id, id)),
      ...changed,
    ]);
    if (isEnding) {
      await closeSockets(context, ended);
      await releaseBusiness(context, id);
    }
    return { ...before, isActive };
  });
}

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

/**
 * Throws if admins try to deactivate their own account. No one could undo that for the last super admin.
 * @throws DomainError forbidden
 */
function refuseOwnDeactivation(actorUserId: string, providerId: string, change: ProviderChange): void {
  if (actorUserId === providerId && !change.isActive) {
    throw new DomainError("forbidden", "You can't deactivate your own account");
  }
}
