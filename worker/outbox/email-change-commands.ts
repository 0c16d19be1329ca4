/** Statements for a customer who changes the email address of a request. */
import { and, eq, exists, ne, sql } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { leads, messages } from "../platform/db/schema.ts";
import { enqueue, enqueueForVisitor, hasDailyMaximum } from "./commands.ts";

/** `to`: the new address in lower case; undefined if it does not change. `revision`: number of the change. */
type EmailChange = {
  lead: Pick<typeof leads.$inferSelect, "id" | "customerEmail">;
  to: string | undefined;
  revision: number;
};

/**
 * Returns the statements that redirect waiting emails to the new address, confirm it, and notify the old one. They must
 * follow the statement that writes the change. A quarantined request sends no email.
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
  const canNotify = and(
    sql`${from} <> ''`,
    hasChanged,
    sql`NOT ${hasDailyMaximum(sql`${from}`, "request_email_removed", now)}`,
  );
  return [
    db
      .update(messages)
      .set({ recipient: to })
      .where(
        and(
          eq(messages.leadId, leadId),
          eq(messages.recipient, from),
          eq(messages.state, "waiting"),
          ne(messages.template, "request_email_removed"),
          hasChanged,
        ),
      ),
    enqueueForVisitor(db, "request_email_added", { leadId, subject, when: isWritten }, now),
    enqueue(
      db,
      "request_email_removed",
      { to: { channel: "email", recipient: sql`${from}`, where: canNotify }, subject, leadId },
      now,
    ),
  ];
}
