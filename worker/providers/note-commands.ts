import { eq, type SQL, sql } from "drizzle-orm";

import type { ProviderNoteKind } from "../../contract/providers.ts";
import type { Act } from "../audit/act.ts";
import { auditEntry, auditWhen } from "../audit/commands.ts";
import type { Db } from "../db/client.ts";
import { providerNotes } from "../db/schema.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";

/** What an admin writes about a provider. `subjectId`: what else it is about, such as a payment. */
export type NewNote = { providerId: string; kind: ProviderNoteKind; text: string; subjectId?: string };

/**
 * The statement that keeps a note on a provider, for the batch of what it is about. Notes may speak of people:
 * they go when the provider is erased, and the audit log never has them.
 * @param condition the note is kept only where it holds
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
 * Keeps a note on a provider, with the log's line that there is one.
 * @param action what was done with these words, such as "user.note"
 */
export async function keepNote(db: Db, note: NewNote, action: string, act: Act): Promise<void> {
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
 * Takes a note away: it may name somebody who wants to be forgotten.
 * @throws DomainError not_found
 */
export async function removeNote(db: Db, id: string, { actor, now, requestId }: Act): Promise<void> {
  const provider = sql`(SELECT provider_id FROM provider_notes WHERE id = ${id})`;
  const [row] = await db.select().from(providerNotes).where(eq(providerNotes.id, id));
  if (!row) throw new DomainError("not_found", "This note has already been removed");
  const [, gone] = await db.batch([
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
  if (gone.length === 0) throw new DomainError("not_found", "This note has already been removed");
}
