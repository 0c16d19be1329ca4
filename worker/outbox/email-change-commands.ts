/** Statements for a customer who changes the email address of a request. */
import { and, eq, exists, isNotNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { leads, messages } from "../platform/db/schema.ts";
import { enqueue, enqueueForVisitor, hasDailyMaximum } from "./commands.ts";

/** `to`: the new address in lower case; undefined if it does not change. `revision`: number of the change. */
type EmailChange = {
  lead: Pick<typeof leads.$inferSelect, "id" | "customerEmail">;
  to: string | undefined;
  revision: number;
};

const isAdded = eq(messages.template, "request_email_added");
const isRemoved = eq(messages.template, "request_email_removed");

/**
 * Returns the statements that redirect waiting emails to the new address, confirm it, and notify the old one if we have
 * emailed it or the request came from it. They must follow the statement that writes the change. A quarantined request
 * sends no email.
 */
export function announceEmailChange(db: Db, { lead, to, revision }: EmailChange, now: number) {
  const leadId = lead.id;
  const from = lead.customerEmail?.trim().toLowerCase() ?? "";
  if (to === undefined || to === from) return [];
  const isWritten = and(eq(leads.redactedAt, revision), ne(leads.listingState, "quarantined"))!;
  const hasChanged = exists(
    db
      .select({ id: leads.id })
      .from(leads)
      .where(and(eq(leads.id, leadId), isWritten)),
  );
  const subject = { leadId, revision };
  const messagesWith = (condition: SQL | undefined) =>
    db
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.leadId, leadId), condition));
  const isKnown = or(
    notExists(messagesWith(isAdded)),
    exists(messagesWith(and(eq(messages.recipient, from), isNotNull(messages.triedAt)))),
  );
  const canNotify = and(
    sql`${from} <> ''`,
    hasChanged,
    isKnown,
    sql`NOT ${hasDailyMaximum(sql`${from}`, "request_email_removed", now)}`,
  );
  const isWaiting = and(eq(messages.leadId, leadId), eq(messages.state, "waiting"), hasChanged);
  return [
    // First, because it depends on the earlier messages.
    enqueue(
      db,
      "request_email_removed",
      { to: { channel: "email", recipient: sql`${from}`, where: canNotify }, subject, leadId },
      now,
    ),
    // Unsent messages of an earlier change are out of date.
    db
      .delete(messages)
      .where(
        and(
          isWaiting,
          or(and(isAdded, eq(messages.recipient, from)), and(isRemoved, eq(messages.recipient, to))),
        ),
      ),
    db
      .update(messages)
      .set({ recipient: to })
      .where(and(isWaiting, eq(messages.recipient, from), ne(messages.template, "request_email_removed"))),
    enqueueForVisitor(db, "request_email_added", { leadId, subject, when: isWritten }, now),
  ];
}
