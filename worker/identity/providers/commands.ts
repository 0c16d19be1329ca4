import { eq } from "drizzle-orm";

import type { ProviderNoteKind } from "../../../contract/providers.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch } from "../../platform/db/guarded-batch.ts";
import { providerNotes } from "../tables.ts";
import {
  expirePages,
  type Expiry,
  providerTag,
  tagsLinking,
} from "../../platform/edge-cache/public-pages.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { type Act, auditEntry } from "../audit/store.ts";
import { findSlug, listCouncils } from "./queries.ts";

/**
 * Expires the share picture of a business's page, and the cached pages of suburbs and services that may link to it. Call
 * it after the change is stored.
 * @param url any URL of the site
 * @param how see `expirePages`
 */
export async function expireLinkingPages(
  db: Db,
  url: string,
  businessId: string,
  how: Expiry = "invalidate",
): Promise<void> {
  const [councils, slug] = await Promise.all([listCouncils(db, businessId), findSlug(db, businessId)]);
  await expirePages(url, [...tagsLinking(councils), ...(slug === null ? [] : [providerTag(slug)])], how);
}

/** An admin's note about a provider. `subjectId`: a related object, such as a payment. */
type NewNote = { providerId: string; kind: ProviderNoteKind; text: string; subjectId?: string };

/**
 * Returns the statement that stores a note about a provider, in the batch of the change it describes. Notes may contain
 * personal details, so they are not in the audit log. They are deleted when the provider is erased.
 */
export const storeNote = (db: Db, note: NewNote, { actor, now }: Pick<Act, "actor" | "now">) =>
  db.insert(providerNotes).values({ id: newId("note"), ...note, byUserId: actor.userId, createdAt: now });

/**
 * Stores a note on a provider, with an audit log entry.
 * @param action the audit log's action, such as "user.note"
 */
export async function addNote(db: Db, note: NewNote, action: string, act: Act): Promise<void> {
  await db.batch([
    storeNote(db, note, act),
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
  const ofNote = eq(providerNotes.id, id);
  const refusal = new DomainError("not_found", "This note has already been removed");
  const [row] = await db.select().from(providerNotes).where(ofNote);
  if (!row) throw refusal;
  await guardedBatch(db, { from: providerNotes, where: ofNote, refusal }, [
    db.delete(providerNotes).where(ofNote),
    auditEntry(db, actor, {
      at: now,
      action: "user.remove_note",
      subjectType: "user",
      subjectId: row.providerId,
      before: { kind: row.kind, subjectId: row.subjectId },
      requestId,
    }),
  ]);
}
