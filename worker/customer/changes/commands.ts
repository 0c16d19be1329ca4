/**
 * Changes a request for its customer. The change is stored first, then the exchange decides: a lead that is for sale
 * shows it at once, a held lead waits, and a sold lead passes it on to the buyer. The sweep repeats a stored change
 * until it is applied, so a crash leaves none half done.
 */

import { and, eq, exists, inArray, isNull, notExists, type SQL, sql } from "drizzle-orm";

import type { CorrectedDetail } from "../../../contract/corrections.ts";
import type { ConfirmedBy } from "../../../contract/lead-labels.ts";
import type { RequestChange, RequestChangeAnswer } from "../../../contract/request-links.ts";
import { sendCommand } from "../../exchange/exchange-calls.ts";
import { isAsRead, pendingId } from "../../leads/customer-update-queries.ts";
import { requestKeys } from "../../leads/quarantine/contact-keys.ts";
import { findLead } from "../../leads/queries.ts";
import {
  findCurrentLead,
  findRequestByToken,
  isRescuedFrom,
  type RequestLink,
} from "../../leads/request-link-store.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { keepAddressNote, maskedSummary, pick } from "../../leads/views.ts";
import { announceCustomerUpdate, MAX_UPDATES, notifyBuyerOfUpdate } from "../../pipeline/answers/store.ts";
import { recheckCase } from "../../pipeline/guarantee/case-commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { requestLinks } from "../../leads/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { customerUpdates, leadPurchases } from "../../platform/db/purchases.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { DomainError } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";
import { announceEmailChange } from "./messages.ts";
import {
  findPendingChange,
  isCalledOff,
  isInSameSuburb,
  isSuspicious,
  listPendingUpdates,
} from "./queries.ts";
import {
  applyChange,
  differences,
  findReplacedContacts,
  isShownText,
  readStoredChange,
  toStoredChange,
} from "./rules.ts";

type Outcome = RequestChangeAnswer["outcome"];

/**
 * Returns the statement that stores a change, merged with one that is still pending. Its time is its revision: it
 * increases with each change to the lead. The statement returns the row.
 * @param stored from `toStoredChange`
 * @param condition an extra condition on the lead
 */
function storeChange(db: Db, leadId: string, stored: Record<string, string>, now: number, condition?: SQL) {
  const row = {
    id: sql`${pendingId("pending_change", leadId)}`.as("id"),
    leadId: leads.id,
    kind: sql`'pending_change'`.as("kind"),
    changes: sql`${JSON.stringify(stored)}`.as("changes"),
    at: sql`max(${now}, ${leads.revision} + 1)`.as("at"),
  };
  return db
    .insert(customerUpdates)
    .select(
      db
        .select(row)
        .from(leads)
        .where(and(eq(leads.id, leadId), isNull(leads.erasedAt), condition)),
    )
    .onConflictDoUpdate({
      target: customerUpdates.id,
      set: {
        changes: sql`json_patch(${customerUpdates.changes}, excluded.changes)`,
        at: sql`max(excluded.at, ${customerUpdates.at} + 1)`,
      },
    })
    .returning({ id: customerUpdates.id });
}

/**
 * Changes a request.
 * @returns the result for the customer
 * @throws DomainError invalid_input for an address without a known suburb; D1's errors
 */
export async function changeRequest(
  context: Context,
  link: Pick<RequestLink, "lead"> & Partial<RequestLink>,
  change: RequestChange,
  now: number,
): Promise<Outcome> {
  const { db } = context;
  const { lead, first = lead } = link;
  const { specificRequests: text, ...rest } = change;
  const pending = await findPendingChange(db, lead.id);
  // The page shows a change that waits. A further change is checked together with it.
  const shown = pending ? applyChange(lead, readStoredChange(pending.stored), 0) : lead;
  const isTextChanged = text !== undefined && !isShownText(shown, text);
  const wanted = isTextChanged ? { ...rest, specificRequests: keepAddressNote(text, lead) } : rest;
  if (await isCalledOff(db, lead.id)) return "closed";
  if (!(await isInSameSuburb(db, lead, wanted.customerAddress))) return "other_suburb";
  if (await isSuspicious(context, { lead: shown, first }, wanted, now)) return "call_us";
  const earlier = and(eq(customerUpdates.leadId, lead.id), eq(customerUpdates.kind, "changed"));
  if ((await db.$count(customerUpdates, earlier)) >= MAX_UPDATES) return "call_us";
  const isChecked = isAsRead(lead, pending?.revision ?? null);
  const stored = await storeChange(db, lead.id, toStoredChange(wanted), now, isChecked);
  if (stored.length === 0) {
    const changed = await findLead(db, lead.id);
    if (!changed || changed.erasedAt) return "closed";
    // Another change came first. Check this one together with it.
    return changeRequest(context, { lead: changed, first }, isTextChanged ? change : rest, now);
  }
  try {
    return await finishChange(context, lead.id, now);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log("warn", "change_delayed", { leadId: lead.id, error });
    return "waiting";
  }
}

/** Shows a lead's current facts on its market. If that fails, the sweep repeats it. */
async function refreshListing(context: Context, leadId: string, now: number): Promise<void> {
  await storeChange(context.db, leadId, {}, now);
  await finishChange(context, leadId, now).catch((error: unknown) => {
    log("warn", "change_delayed", { leadId, error });
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof findPendingChange>>>;

/**
 * Adds the lead after the change, the differences, and the condition that the stored change is the one we read and that
 * the request has not been passed on since.
 */
function preparePending(db: Db, { lead, stored, revision }: Found) {
  const change = readStoredChange(stored);
  const ofChange = and(
    eq(customerUpdates.id, pendingId("pending_change", lead.id)),
    eq(customerUpdates.at, revision),
  );
  return {
    lead,
    stored,
    change,
    revised: applyChange(lead, change, revision),
    changes: differences(lead, change),
    ofChange,
    isStored: and(
      exists(db.select({ id: customerUpdates.id }).from(customerUpdates).where(ofChange)),
      notExists(db.select({ id: leads.id }).from(leads).where(isRescuedFrom(lead.id))),
    ),
  };
}
type Pending = ReturnType<typeof preparePending>;

/**
 * Returns the statements that write a changed lead, and then delete the stored change. A pending lead may be on its way
 * to the exchange with its old details, so its change stays until it has arrived.
 * @param condition an extra condition on the lead
 */
function leadStatements(db: Db, pending: Pending, now: number, condition?: SQL) {
  const { lead, change, revised, ofChange, isStored } = pending;
  const { redactedName, redactedRequests, redactedLocation, revision } = revised;
  const { streetKey, ...contact } = requestKeys(revised);
  const ofLead = and(eq(leads.id, lead.id), eq(leads.generation, lead.generation), isNull(leads.erasedAt));
  const isWritten = exists(
    db
      .select({ id: leads.id })
      .from(leads)
      .where(and(ofLead, eq(leads.revision, revision), sql`${leads.listingState} <> 'pending'`)),
  );
  return [
    db
      .update(leads)
      .set({
        ...change,
        ...(change.customerPhone !== undefined && pick(contact, ["phoneKey", "otherPhoneKey"])),
        ...(change.customerEmail !== undefined && { ...pick(contact, ["emailKey"]), emailBouncedAt: null }),
        ...(change.customerAddress !== undefined && { streetKey }),
        ...(revised.confirmedBy !== lead.confirmedBy && { confirmedBy: null }),
        stated: revised.stated,
        redactedName,
        redactedRequests,
        redactedLocation,
        revision,
      })
      .where(and(ofLead, isStored, condition))
      .returning({ id: leads.id }),
    // The old mailbox or phone still has these links.
    db
      .update(requestLinks)
      .set({ sentBy: null })
      .where(
        and(
          eq(requestLinks.leadId, lead.rescuedFromId ?? lead.id),
          inArray(requestLinks.sentBy, findReplacedContacts(lead, revised)),
          isStored,
        ),
      ),
    db.delete(customerUpdates).where(and(ofChange, isWritten)),
    ...announceEmailChange(db, { lead, to: change.customerEmail, revision }, now),
  ] as const;
}

/** Writes a change that providers may now read, or an admin before them. */
async function writeLead(db: Db, pending: Pending, now: number, condition?: SQL): Promise<Outcome> {
  const [written] = await db.batch(leadStatements(db, pending, now, condition));
  // The lead has moved, left the quarantine or been passed on.
  return written.length > 0 ? "changed" : "waiting";
}

/** The buyer's own corrections of details that a customer can change. */
const CORRECTIONS: Readonly<Record<string, CorrectedDetail>> = {
  customerName: "name",
  customerPhone: "phone",
  customerEmail: "email",
  customerAddress: "address",
};

/** Passes a change on to the buyer. A new contact detail replaces the buyer's own correction. */
async function passOn(context: Context, pending: Pending, now: number): Promise<Outcome> {
  const { db } = context;
  const { lead, changes, isStored } = pending;
  if (changes.length === 0) return writeLead(db, pending, now);
  const isPhoneChanged = changes.some(({ field }) => field === "customerPhone");
  const outdated = changes.flatMap(({ field }) => CORRECTIONS[field] ?? []).map((detail) => `$.${detail}`);
  const [, purchases, , , , written] = await db.batch([
    ...announceCustomerUpdate(db, { leadId: lead.id, kind: "changed", changes }, now, isStored),
    db
      .update(leadPurchases)
      .set({
        corrected: sql`json_remove(${sql.join([leadPurchases.corrected, ...outdated], sql`, `)})`,
        updatedAt: nextUpdatedAt(now),
      })
      .where(and(eq(leadPurchases.leadId, lead.id), sql`${outdated.length > 0}`, isStored)),
    // The right number takes back a free claim for a wrong one.
    recheckCase(db, and(eq(leadPurchases.leadId, lead.id), sql`${isPhoneChanged}`, isStored)!, now),
    ...leadStatements(db, pending, now),
  ]);
  await notifyBuyerOfUpdate(context, purchases);
  return written.length > 0 ? "changed" : "waiting";
}

/** Moves a stored change to the lead that was rescued from its own. */
async function moveChange(db: Db, { stored, ofChange }: Pending, toId: string, now: number): Promise<void> {
  await db.batch([storeChange(db, toId, stored, now), db.delete(customerUpdates).where(ofChange)]);
}

/** Deletes a stored change to a request that has left the market unsold. */
async function dropChange(db: Db, { ofChange }: Pending): Promise<Outcome> {
  await db.delete(customerUpdates).where(ofChange);
  return "closed";
}

/**
 * Applies a request's stored change, wherever the lead is now. Safe to repeat.
 * @throws DomainError exchange_unavailable; D1's errors
 */
async function finishChange(context: Context, leadId: string, now: number): Promise<Outcome> {
  const { db } = context;
  const found = await findPendingChange(db, leadId);
  if (!found) return "changed";
  const pending = preparePending(db, found);
  const current = await findCurrentLead(db, pending.lead);
  if (current.id !== leadId) {
    await moveChange(db, pending, current.id, now);
    return finishChange(context, current.id, now);
  }
  const { region, generation, status, listingState } = pending.lead;
  if (status === "sold") return passOn(context, pending, now);
  if (status !== "available") return dropChange(db, pending);
  if (listingState === "quarantined")
    return writeLead(db, pending, now, eq(leads.listingState, "quarantined"));
  const revision = found.revision;
  const summary = maskedSummary(pending.revised);
  const answer = await sendCommand(context, region, {
    type: "revise",
    leadId,
    generation,
    revision,
    summary,
  });
  if (answer.ok) return writeLead(db, pending, now);
  if (answer.reason === "closed") return dropChange(db, pending);
  if (answer.reason === "unknown" && listingState === "pending") return writeLead(db, pending, now);
  // A provider is paying. Or D1 does not have the sale or the move yet.
  return "waiting";
}

const SWEEP_BATCH = 100;

/** Finishes changes that had to wait. @returns the number of finished changes and of failed attempts */
export async function sweepChanges(
  context: Context,
  now: number,
): Promise<{ changed: number; failed: number }> {
  const counts = { changed: 0, failed: 0 };
  for (let after = ""; ;) {
    const page = await listPendingUpdates(context.db, "pending_change", { after, limit: SWEEP_BATCH });
    for (const leadId of page) {
      try {
        if ((await finishChange(context, leadId, now)) !== "waiting") counts.changed += 1;
      } catch (error) {
        counts.failed += 1;
        log("warn", "change_delayed", { leadId, error });
      }
    }
    if (page.length < SWEEP_BATCH) return counts;
    after = page.at(-1)!;
  }
}

// Records that we can reach a customer: they used a link that we sent, or replied to a text.

/** Marks a request as confirmed, once. The windows of providers who can buy it show that at once. */
export async function confirmCustomer(
  context: Context,
  lead: LeadRow,
  confirmedBy: ConfirmedBy,
  now: number,
): Promise<void> {
  if (lead.confirmedBy !== null) return;
  // After a rescue, the answers count in the first buyer's standing too.
  const ids = [lead.id, lead.rescuedFromId ?? lead.id];
  await context.db
    .update(leads)
    .set({ confirmedBy })
    .where(and(inArray(leads.id, ids), isNull(leads.confirmedBy), isNull(leads.erasedAt)));
  if (lead.status === "available" && lead.listingState === "listed")
    await refreshListing(context, lead.id, now);
}

/**
 * Confirms the customer who acts on the page that a link opens. Call it only for a post, because mail scanners fetch
 * links. A link that we did not send confirms nothing.
 */
export async function confirmByToken(context: Context, token: string, now: number): Promise<void> {
  const found = await findRequestByToken(context.db, token);
  if (found?.sentBy) await confirmCustomer(context, found.lead, found.sentBy, now);
}
