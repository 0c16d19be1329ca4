import { and, desc, eq, isNull, notInArray, sql } from "drizzle-orm";

import type { CustomerUpdateKind } from "../../../contract/request-links.ts";
import { listAnswers } from "../answers/store.ts";
import type { Db } from "../../platform/db/client.ts";
import { type After } from "../../platform/db/sql.ts";
import { contactCorrections } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { contactLog, customerUpdates, leadPurchases, stageChanges } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import type { Photo } from "../../../contract/photos.ts";
import { listPhotosOf } from "../../leads/photos/queries.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { ownedBy, SOLD_LEAD } from "../../selling/purchases/queries.ts";
import type { PurchaseRow, SoldLead } from "../../selling/purchases/rules.ts";
import type { ContactEntry, Correction, StageChange } from "../../selling/purchases/views.ts";

/** Returns a business's purchases, newest first. */
export function listPurchases(
  db: Db,
  scope: BusinessScope,
  page: { after: After; limit: number },
): Promise<PurchaseRow[]> {
  return db
    .select()
    .from(leadPurchases)
    .where(ownedBy(scope, page.after))
    .orderBy(desc(leadPurchases.purchasedAt), desc(leadPurchases.id))
    .limit(page.limit);
}

/** Returns a business's purchases with their leads, including contact details, newest first. */
export function listPurchasedLeads(
  db: Db,
  scope: BusinessScope,
  page: { after: After; limit: number },
): Promise<SoldLead[]> {
  return db
    .select(SOLD_LEAD)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(ownedBy(scope, page.after))
    .orderBy(desc(leadPurchases.purchasedAt), desc(leadPurchases.id))
    .limit(page.limit);
}

/** Returns what the customer changed or said since the sale, newest first. */
async function listCustomerUpdates(db: Db, purchaseId: string) {
  const rows = await db
    .select({
      id: customerUpdates.id,
      kind: customerUpdates.kind,
      changes: customerUpdates.changes,
      at: customerUpdates.at,
    })
    .from(leadPurchases)
    .innerJoin(customerUpdates, eq(customerUpdates.leadId, leadPurchases.leadId))
    .where(
      and(
        eq(leadPurchases.id, purchaseId),
        notInArray(customerUpdates.kind, ["pending_change", "pending_erasure"]),
      ),
    )
    .orderBy(desc(customerUpdates.at), desc(customerUpdates.id))
    .limit(MAX_CHANGES);
  return rows.map((row) => ({ ...row, kind: row.kind as CustomerUpdateKind }));
}

type Answers = Awaited<ReturnType<typeof listAnswers>>;

type PurchaseDetail = SoldLead & {
  history: StageChange[];
  contacts: ContactEntry[];
  corrections: Correction[];
  answers: Answers;
  updates: Awaited<ReturnType<typeof listCustomerUpdates>>;
  photos: Photo[];
  notesBy: string | null;
  /** Whether an email of ours to the customer's address bounced. */
  hasEmailBounced: boolean;
};

/** Maximum entries to return per history. */
const MAX_CHANGES = 200;

/** Returns the newest calls and messages about a purchase, oldest first. */
async function listContacts(db: Db, id: string): Promise<ContactEntry[]> {
  const newest = await db
    .select({
      outcome: contactLog.outcome,
      at: contactLog.at,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(contactLog)
    .leftJoin(users, eq(users.id, contactLog.byUserId))
    .where(eq(contactLog.purchaseId, id))
    .orderBy(desc(contactLog.at), desc(contactLog.loggedAt))
    .limit(MAX_CHANGES);
  return newest.toReversed();
}

/** Returns the corrections of the customer's details, newest first. */
function listCorrections(db: Db, purchaseId: string): Promise<Correction[]> {
  return db
    .select({
      nameBefore: contactCorrections.nameBefore,
      phoneBefore: contactCorrections.phoneBefore,
      emailBefore: contactCorrections.emailBefore,
      addressBefore: contactCorrections.addressBefore,
      changedAt: contactCorrections.changedAt,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(contactCorrections)
    .leftJoin(users, eq(users.id, contactCorrections.changedByUserId))
    .where(eq(contactCorrections.purchaseId, purchaseId))
    .orderBy(desc(contactCorrections.id))
    .limit(MAX_CHANGES);
}

/** Returns whether the entry with this key is already stored. */
export async function hasContact(db: Db, purchaseId: string, entryKey: string): Promise<boolean> {
  const rows = await db
    .select({ at: contactLog.at })
    .from(contactLog)
    .where(and(eq(contactLog.purchaseId, purchaseId), eq(contactLog.entryKey, entryKey)));
  return rows.length > 0;
}

/**
 * Returns all the details of one purchase: the row, its lead, the newest history and calls (oldest first), corrections,
 * the customer's replies and updates (newest first) and the author of the notes.
 */
export async function findPurchaseDetail(
  db: Db,
  scope: BusinessScope,
  id: string,
): Promise<PurchaseDetail | null> {
  const [rows, history, contacts, corrections, answers, updates] = await Promise.all([
    db
      .select({
        ...SOLD_LEAD,
        notesBy: sql<string | null>`${users.firstName} || ' ' || ${users.lastName}`,
        emailBouncedAt: leads.emailBouncedAt,
      })
      .from(leadPurchases)
      .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
      .leftJoin(users, eq(users.id, leadPurchases.notesByUserId))
      .where(and(eq(leadPurchases.id, id), ownedBy(scope, null))),
    db
      .select({
        fromStage: stageChanges.fromStage,
        toStage: stageChanges.toStage,
        changedAt: stageChanges.changedAt,
        firstName: users.firstName,
        lastName: users.lastName,
      })
      .from(stageChanges)
      .leftJoin(users, eq(users.id, stageChanges.changedByUserId))
      .where(eq(stageChanges.purchaseId, id))
      .orderBy(desc(stageChanges.changedAt), desc(stageChanges.id))
      .limit(MAX_CHANGES),
    listContacts(db, id),
    listCorrections(db, id),
    listAnswers(db, id),
    listCustomerUpdates(db, id),
  ]);
  const [row] = rows;
  if (!row) return null;
  const { purchase, lead, notesBy, emailBouncedAt } = row;
  // Read after the ownership check, because this query has none.
  const photos = await listPhotosOf(db, purchase);
  return {
    purchase,
    lead,
    history: history.toReversed(),
    contacts,
    corrections,
    answers,
    updates,
    photos,
    notesBy,
    hasEmailBounced: emailBouncedAt !== null,
  };
}

/** Returns one purchase of a business with its lead; null if it does not exist or belongs to another business. */
export async function findOwnSoldLead(db: Db, scope: BusinessScope, id: string): Promise<SoldLead | null> {
  const [row] = await db
    .select(SOLD_LEAD)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(and(eq(leadPurchases.id, id), ownedBy(scope, null)));
  return row ?? null;
}

/** Returns a purchase of any business. For super admins only. */
export async function findAnyPurchase(db: Db, id: string): Promise<PurchaseRow | null> {
  const [row] = await db
    .select()
    .from(leadPurchases)
    .where(and(eq(leadPurchases.id, id), isNull(leadPurchases.removedAt)));
  return row ?? null;
}
