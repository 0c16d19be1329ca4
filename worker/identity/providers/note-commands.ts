import { eq, type SQL, sql } from "drizzle-orm";

import type { ProviderNoteKind } from "../../../contract/providers.ts";
import type { Act } from "../audit/act.ts";
import { auditEntry, auditWhen } from "../audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { providerNotes } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";

/** An admin's note about a provider. `subjectId`: a related object, such as a payment. */
export type NewNote = { providerId: string; kind: ProviderNoteKind; text: string; subjectId?: string };

/**
 * Returns the statement that stores a note about a provider, in the batch of the change it describes. Notes may contain
 * personal details, so they are not in the audit log. They are deleted when the provider is erased.
 * @param condition the SQL condition for storing the note
 */
export function noteWhen(
  db: Db,
  condition: SQL,
  { providerId, kind, text, subjectId }: NewNote,
  by: Pick<Act, "actor" | "now">,
) {
  return db.insert(providerNotes).select(
    db
      .select({
        id: sql`${newId("note")}`.as("id"),
        providerId: sql`${providerId}`.as("provider_id"),
        kind: sql`${kind}`.as("kind"),
        text: sql`${text}`.as("text"),
        subjectId: sql`${subjectId ?? null}`.as("subject_id"),
        byUserId: sql`${by.actor.userId}`.as("by_user_id"),
        createdAt: sql`${by.now}`.as("created_at"),
      })
      .from(sql`(SELECT 1)`)
      .where(condition),
  );
}

/**
 * Stores a note on a provider, with an audit log entry.
 * @param action the audit log's action, such as "user.note"
 */
export async function addNote(db: Db, note: NewNote, action: string, act: Act): Promise<void> {
  await db.batch([
    noteWhen(db, sql`1`, note, act),
    auditEntry(db, act.actor, {
      at: act.now,
      action,
      subjectType: "user",
      subjectId: note.providerId,
      requestId: act.requestId,
    }),
  ]);
}

/**
 * Deletes a note: it may contain the details of a person who requests erasure.
 * @throws DomainError not_found
 */
export async function removeNote(db: Db, id: string, { actor, now, requestId }: Act): Promise<void> {
  const provider = sql`(SELECT provider_id FROM provider_notes WHERE id = ${id})`;
  const [row] = await db.select().from(providerNotes).where(eq(providerNotes.id, id));
  if (!row) throw new DomainError("not_found", "This note has already been removed");
  const [, deleted] = await db.batch([
    auditWhen(db, sql`${provider} IS NOT NULL`, actor, {
      at: now,
      action: "user.remove_note",
      subjectType: "user",
      subjectId: row.providerId,
      before: { kind: row.kind, subjectId: row.subjectId },
      requestId,
    }),
    db.delete(providerNotes).where(eq(providerNotes.id, id)).returning({ id: providerNotes.id }),
  ]);
  if (deleted.length === 0) throw new DomainError("not_found", "This note has already been removed");
}
