/** Erases a customer's details from requests: from a request's page, or when an account is closed. */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { listPendingUpdates } from "../../customer/changes/queries.ts";
import { pendingId } from "../../leads/customer-update-queries.ts";

import { findLead } from "../../leads/queries.ts";
import type { RequestLink } from "../../leads/request-link-store.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { customerUpdates } from "../../platform/db/purchases.ts";
import { leads } from "../../platform/db/leads.ts";
import { log } from "../../platform/log.ts";
import type { Cause } from "./account-commands.ts";
import { eraseLead } from "./commands.ts";

const BY_CUSTOMER: Cause = { reason: "customer", jobId: null };

/**
 * Returns the statement that enqueues the erasure of some requests. Each row is deleted once its first lead is erased.
 * @param first selects the first leads
 */
export function storeErasures(db: Db, first: SQL, now: number) {
  const row = {
    id: sql`${pendingId("pending_erasure", "")} || ${leads.id}`.as("id"),
    leadId: leads.id,
    kind: sql`'pending_erasure'`.as("kind"),
    changes: sql`'[]'`.as("changes"),
    at: sql`${now}`.as("at"),
  };
  const isThere = and(first, isNull(leads.erasedAt));
  return db.insert(customerUpdates).select(db.select(row).from(leads).where(isThere)).onConflictDoNothing();
}

/** Erases the leads of a request. @returns false if it has to wait, as `eraseLead` does */
async function eraseRequest(context: Context, firstId: string, now: number): Promise<boolean> {
  const first = await findLead(context.db, firstId);
  return first === null || eraseLead(context, first, BY_CUSTOMER, now);
}

/**
 * Erases a request for its customer. If it has to wait for a payment, or a part of our system does not respond,
 * the sweep repeats it.
 */
export async function eraseForCustomer(
  context: Context,
  { first }: Pick<RequestLink, "first">,
  now: number,
): Promise<"erased" | "waiting"> {
  await storeErasures(context.db, eq(leads.id, first.id), now);
  try {
    return (await eraseRequest(context, first.id, now)) ? "erased" : "waiting";
  } catch (error) {
    log("warn", "erasure_delayed", { leadId: first.id, error });
    return "waiting";
  }
}

const SWEEP_BATCH = 100;

/** Finishes erasures that had to wait. @returns the number of erased requests and of failed attempts */
export async function sweepRequestErasures(
  context: Context,
  now: number,
): Promise<{ erased: number; failed: number }> {
  const counts = { erased: 0, failed: 0 };
  for (let after = ""; ;) {
    const page = await listPendingUpdates(context.db, "pending_erasure", { after, limit: SWEEP_BATCH });
    for (const leadId of page) {
      try {
        if (await eraseRequest(context, leadId, now)) counts.erased += 1;
      } catch (error) {
        counts.failed += 1;
        log("warn", "erasure_delayed", { leadId, error });
      }
    }
    if (page.length < SWEEP_BATCH) return counts;
    after = page.at(-1)!;
  }
}
