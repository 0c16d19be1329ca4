import { type SQL, sql } from "drizzle-orm";

import type { ProviderNoteKind } from "../../contract/providers.ts";
import type { Act } from "../audit/act.ts";
import type { Db } from "../db/client.ts";
import { providerNotes } from "../db/schema.ts";
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
