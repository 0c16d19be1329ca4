/** Stores how and when a customer wants to be reached. */
import { and, eq, isNull, sql } from "drizzle-orm";

import type { ContactPreference } from "../../../contract/lead-labels.ts";
import type { ContactPreferenceAnswer } from "../../../contract/request-links.ts";
import type { Context } from "../../platform/context.ts";
import { leads } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { notifyBuyerOfUpdate, announceCustomerUpdate } from "./customer-update-commands.ts";
import { findCurrentLead, findRequestByToken } from "./queries.ts";

/**
 * Refuses a customer who wants an email but gave no address.
 * @throws DomainError invalid_input
 */
export function refuseEmailWithoutAddress(
  method: ContactPreference["contactMethod"] | undefined,
  email: string | null | undefined,
): void {
  if (method !== "email" || email) return;
  const message = "Please add your email address, or choose a call or a text";
  throw new DomainError("invalid_input", message, { customerEmail: message });
}

/**
 * Stores a new preference for the request that a link opens. The business that bought the request sees the change and
 * the previous preference. Rivals never see either.
 * @throws DomainError invalid_input for email without an address
 */
export async function setContactPreference(
  { context, now }: { context: Context; now: number },
  token: string,
  wanted: ContactPreference,
): Promise<ContactPreferenceAnswer["outcome"]> {
  const { db } = context;
  const found = await findRequestByToken(db, token);
  if (!found) return "gone";
  const { lead } = found;
  refuseEmailWithoutAddress(wanted.contactMethod, lead.customerEmail);
  const changes = (["contactMethod", "contactTime"] as const)
    .filter((field) => lead[field] !== wanted[field])
    .map((field) => ({ field, before: lead[field], after: wanted[field] }));
  if (changes.length === 0) return "saved";
  // A second click finds a different preference, so it records nothing.
  const isUnchanged = sql`${leads.contactMethod} IS ${lead.contactMethod} AND ${leads.contactTime} IS ${lead.contactTime}`;
  const [, purchases] = await db.batch([
    ...announceCustomerUpdate(db, { leadId: lead.id, kind: "changed", changes }, now, isUnchanged),
    db
      .update(leads)
      .set(wanted)
      .where(and(eq(leads.id, lead.id), isNull(leads.erasedAt))),
  ]);
  await notifyBuyerOfUpdate(context, purchases);
  // The request may have been passed on since the lead was read.
  const current = await findCurrentLead(db, lead);
  return current.id === lead.id ? "saved" : setContactPreference({ context, now }, token, wanted);
}
