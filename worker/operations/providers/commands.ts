import type { Act } from "../../identity/audit/act.ts";
import { and, eq, inArray, or } from "drizzle-orm";

import type { ProviderChange, ProviderListItem } from "../../../contract/providers.ts";
import { auditEntry } from "../../identity/audit/commands.ts";
import type { Session } from "../../platform/session.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { sessions, users } from "../../platform/db/schema.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { releaseBusiness } from "../../exchange/business-commands.ts";
import { storeNote } from "../../identity/providers/note-commands.ts";
import { findProvider } from "../../identity/providers/queries.ts";
import { refuseOwnDeactivation } from "./rules.ts";

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
