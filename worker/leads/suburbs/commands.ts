import { eq } from "drizzle-orm";

import type { AdminSuburb, SuburbChange } from "../../../contract/suburbs.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import type { Db } from "../../platform/db/client.ts";
import { suburbs } from "../../platform/db/suburbs.ts";
import { DomainError } from "../../platform/errors.ts";
import { findSuburbForAdmins } from "./queries.ts";

const TEXTS = ["description", "phone", "email", "address", "openingHours"] as const;

/**
 * Changes the operator's fields of a suburb: whether it has a page, its from-price and its texts. The caller purges the
 * cached pages.
 * @param change omitted fields do not change; empty text clears a field
 * @returns the suburb after the change
 * @throws DomainError not_found
 */
export async function changeSuburb(
  db: Db,
  id: string,
  change: SuburbChange,
  { actor, now, requestId }: Act,
): Promise<AdminSuburb> {
  const before = await findSuburbForAdmins(db, id);
  if (!before) throw new DomainError("not_found", "Suburb not found");
  const texts = TEXTS.filter((name) => change[name] !== undefined);
  const values = {
    ...(change.isActive !== undefined && { isActive: change.isActive }),
    ...(change.priceFrom !== undefined && { priceFrom: change.priceFrom }),
  };
  const set = { ...values, ...Object.fromEntries(texts.map((name) => [name, change[name] || null])) };
  const old = Object.fromEntries(
    Object.keys(values).map((name) => [name, before[name as keyof typeof values]]),
  );
  await db.batch([
    db.update(suburbs).set(set).where(eq(suburbs.id, id)),
    auditEntry(db, actor, {
      at: now,
      action: "suburb.change",
      subjectType: "suburb",
      subjectId: id,
      before: old,
      // Log only the names of the changed texts: the texts may contain a phone number.
      after: { ...values, ...(texts.length > 0 && { texts }) },
      requestId,
    }),
  ]);
  return { ...before, ...set };
}
