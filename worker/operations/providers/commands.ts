import type { Act } from "../../identity/audit/act.ts";
import { eq, inArray, or, sql } from "drizzle-orm";

import type { ProviderChange, ProviderListItem } from "../../../contract/providers.ts";
import { auditWhen } from "../../identity/audit/commands.ts";
import type { Session } from "../../platform/session.ts";
import { sessions, users } from "../../platform/db/schema.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { releaseBusiness } from "../../exchange/business-commands.ts";
import { noteWhen } from "../../identity/providers/note-commands.ts";
import { findProvider } from "../../identity/providers/queries.ts";
import { refuseOwnDeactivation } from "./rules.ts";

/**
 * Activates or deactivates a provider. Deactivation signs out the provider's whole team and closes
 * their windows. The team's holds return to the market. The reason is stored as a note. An unchanged value does not
 * create an audit log entry.
 * @returns the provider after the change
 * @throws DomainError not_found; forbidden for the admin's own account
 */
export async function changeProvider(
  context: Context,
  session: Session,
  id: string,
  change: ProviderChange,
  act: Act,
): Promise<ProviderListItem> {
  const db = context.db;
  const before = await findProvider(db, id);
  if (!before) throw new DomainError("not_found", "Provider not found");
  refuseOwnDeactivation(session.user.id, before.id, change);
  const { actor, now: at, requestId } = act;
  const team = db
    .select({ id: users.id })
    .from(users)
    .where(or(eq(users.id, id), eq(users.teamOwnerId, id)));
  const { isActive } = change;
  const isEnding = !isActive;
  const isChanged = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${id} AND ${users.isActive} <> ${Number(isActive)})`;
  const note = {
    providerId: id,
    kind: isActive ? ("activated" as const) : ("deactivated" as const),
    text: change.reason ?? "",
  };
  // The audit log and the notes read the values that the update is about to replace.
  const [ended] = await db.batch([
    db
      .delete(sessions)
      .where(
        isEnding ? or(inArray(sessions.userId, team), eq(sessions.impersonatorId, id)) : eq(sessions.id, ""),
      )
      .returning({ id: sessions.id, userId: sessions.userId }),
    auditWhen(db, isChanged, actor, {
      at,
      action: isActive ? "user.activate" : "user.deactivate",
      subjectType: "user",
      subjectId: id,
      before: { isActive: !isActive },
      after: { isActive },
      requestId,
    }),
    ...(change.reason ? [noteWhen(db, isChanged, note, act)] : []),
    db.update(users).set({ isActive, updatedAt: at }).where(eq(users.id, id)),
  ]);
  if (isEnding) {
    await closeSockets(context, ended);
    await releaseBusiness(context, id);
  }
  return { ...before, isActive };
}
