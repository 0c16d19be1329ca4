/** Messages about what customers do on the page of their request. */
import { and, eq, exists, isNotNull, isNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { REQUEST_LIST_MS } from "../../../contract/my-requests.ts";
import type { OwnUpdateKind } from "../../../contract/request-links.ts";
import { hashToken, MAIL_INTERVAL_MS, newToken } from "../../identity/auth/rules.ts";
import { createSecret } from "../../identity/auth/one-time-secret-store.ts";
import { enqueue, hasRecentAlert, toDevices } from "../../outbox/commands.ts";
import { hasDailyMaximum } from "../../outbox/channel-queries.ts";
import { mailMessage, pushMessage, UNWANTED } from "../../outbox/message.ts";
import { visitorMessage } from "../../outbox/visitor-queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { customerUpdates, leadPurchases, leads, messages, pushDevices } from "../../platform/db/schema.ts";
import { createLink, findOwnPurchase, findRequest } from "../message-queries.ts";
import { describeJob, factsOf, labelsOf, linkToPage, pipelineLink, replacing } from "../message-words.ts";
import { isSentFrom } from "./list-queries.ts";

/** A device gets one alert of a kind about a lead in this time, so three changes in a row cause one alert. */
const UPDATE_WINDOW_MS = 5 * MINUTE_MS;

const UPDATE_TITLES: Readonly<Record<OwnUpdateKind, string>> = {
  changed: "Your customer changed their request",
  withdrawn: "Your customer called off the job",
  erased: "Your customer deleted their details",
  wrong_number: "Your customer's number is wrong",
};

/** Goes to the buyer's devices, in the batch that stores the customer's update. */
export const customerUpdate = pushMessage({
  name: "customer_update",
  reason: "The customer of a bought lead changed or called off the request, or deleted their details.",
  lifetimeMs: 12 * HOUR_MS,
  to: ({ updateId }: { updateId: string }, now) => ({
    ...toDevices(
      and(
        eq(customerUpdates.id, updateId),
        isNull(leadPurchases.removedAt),
        sql`NOT ${hasRecentAlert("customer_update", leadPurchases.leadId, now - UPDATE_WINDOW_MS, customerUpdates.kind)}`,
      ),
      sql`${customerUpdates}
        JOIN ${leadPurchases} ON ${leadPurchases.leadId} = ${customerUpdates.leadId}
        JOIN ${pushDevices} ON ${pushDevices.userId} = ${leadPurchases.buyerId}`,
    ),
    leadId: sql`${leadPurchases.leadId}`,
    payload: sql`json_object('leadId', ${leadPurchases.leadId}, 'purchaseId', ${leadPurchases.id}, 'kind', ${customerUpdates.kind})`,
  }),
  key: ({ updateId }) => updateId,
  skipsOpenWindow: true,
  waitsForQuietHours: true,
  load: async (loading) => {
    const kind = loading.message.payload.kind as OwnUpdateKind;
    const found = await findOwnPurchase(loading, kind === "erased");
    return found ? { ...found.shown, kind } : UNWANTED;
  },
  push: ({ summary, kind, purchaseId, origin }) => ({
    title: UPDATE_TITLES[kind],
    body: factsOf(summary),
    navigate: pipelineLink(origin, purchaseId),
    ...replacing(summary.id, "high"),
  }),
});

/** `revision`: number of the change. */
type OfChange = { leadId: string; revision: number };

const keyOfChange = ({ leadId, revision }: OfChange) => `${leadId}:${revision}`;

export const requestEmailAdded = visitorMessage({
  name: "request_email_added",
  reason: "This address was added to their request, or replaced its old one.",
  lifetimeMs: 6 * HOUR_MS,
  key: keyOfChange,
  load: async (loading) => {
    const lead = await findRequest(loading);
    if (!lead) return UNWANTED;
    const isOpen = lead.status === "available" || lead.status === "sold";
    return {
      request: labelsOf(lead),
      pageLink: isOpen ? await createLink(loading, "request", lead.id) : null,
    };
  },
  email: ({ request, pageLink }, { contactPhone, contactEmail }) => ({
    subject: `We'll email you here about your request for ${describeJob(request)}`,
    parts: [
      "Hello,",
      `From now on, we'll email you here about your request for ${describeJob(request)}.`,
      ...linkToPage(pageLink),
      `Didn't ask for this? Call us on ${contactPhone} or email ${contactEmail}, and we'll remove this address.`,
    ],
  }),
});

/** Has no link: the address may belong to a stranger. */
export const requestEmailRemoved = mailMessage({
  name: "request_email_removed",
  reason:
    "Someone with the link and the last digits of the phone number changed the address of their request.",
  lifetimeMs: DAY_MS,
  key: keyOfChange,
  load: async (loading) => {
    const lead = await findRequest(loading);
    return lead ? { request: labelsOf(lead) } : UNWANTED;
  },
  email: ({ request }, { contactPhone, contactEmail }) => ({
    subject: `We won't email you here about your request for ${describeJob(request)} any more`,
    parts: [
      "Hello,",
      `Your request for ${describeJob(request)} has a new email address. We'll send news about it there.`,
      `If you didn't change it, call us on ${contactPhone} or email ${contactEmail}, and we'll change it back.`,
    ],
  }),
});

/** `to`: the new address in lower case; undefined if it does not change. `revision`: number of the change. */
type EmailChange = {
  lead: Pick<typeof leads.$inferSelect, "id" | "customerEmail">;
  to: string | undefined;
  revision: number;
};

const isAdded = eq(messages.template, requestEmailAdded.name);
const isRemoved = eq(messages.template, requestEmailRemoved.name);

/**
 * Returns the statements that redirect waiting emails to the new address, confirm it, and notify the old one if we have
 * emailed it or the request came from it. They must follow the statement that writes the change. A quarantined request
 * sends no email.
 */
export function announceEmailChange(db: Db, { lead, to, revision }: EmailChange, now: number) {
  const leadId = lead.id;
  const from = lead.customerEmail?.trim().toLowerCase() ?? "";
  if (to === undefined || to === from) return [];
  const isWritten = and(eq(leads.revision, revision), ne(leads.listingState, "quarantined"))!;
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
  const recipient = sql`${from}`;
  const canNotify = and(
    sql`${from} <> ''`,
    hasChanged,
    isKnown,
    sql`NOT ${hasDailyMaximum(recipient, requestEmailRemoved.name, now)}`,
  );
  const isWaiting = and(eq(messages.leadId, leadId), eq(messages.state, "waiting"), hasChanged);
  return [
    // First, because it depends on the earlier messages.
    enqueue(db, requestEmailRemoved, subject, now, { recipient, when: canNotify }),
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
      .where(and(isWaiting, eq(messages.recipient, from), ne(messages.template, requestEmailRemoved.name))),
    enqueue(db, requestEmailAdded, subject, now, { when: isWritten }),
  ];
}

/** Creates a one-time link to all requests of an address. Only its hash is stored. @returns the link's token */
export async function createListLink(db: Db, email: string, now: number): Promise<string> {
  const token = newToken();
  const link = { purpose: "request_list", hash: hashToken(token), email } as const;
  await createSecret(db, { ...link, expiresAt: now + REQUEST_LIST_MS }, now);
  return token;
}

/**
 * Goes to an address that has requests, at most once in five minutes. Contains no details of the requests: a stranger
 * may have entered the address. `email`: in lower case.
 */
export const requestList = mailMessage({
  name: "request_list",
  reason: "Someone asked for a link to all requests sent with this address.",
  lifetimeMs: 30 * MINUTE_MS,
  to: ({ email, origin }: { email: string; origin: string }, now) => {
    const recipient = sql`${email}`;
    const isTooSoon = sql`EXISTS (SELECT 1 FROM ${messages} AS earlier WHERE earlier.recipient = ${recipient}
      AND earlier.template = 'request_list' AND earlier.created_at > ${now - MAIL_INTERVAL_MS})`;
    const where = and(
      sql`EXISTS (SELECT 1 FROM ${leads} WHERE ${isSentFrom(email)})`,
      sql`NOT ${isTooSoon}`,
      sql`NOT ${hasDailyMaximum(recipient, "request_list", now)}`,
    );
    return { channel: "email", recipient, where, payload: { origin } };
  },
  load: async ({ db, message, now }) => {
    const { payload, recipient } = message;
    if (!recipient) return UNWANTED;
    return { link: `${payload.origin ?? ""}/my-requests/${await createListLink(db, recipient, now)}` };
  },
  email: ({ link }) => ({
    subject: "Your requests at Naturestrip",
    parts: [
      "Hello,",
      "Someone (hopefully you) asked for a link to all requests that were sent with this email address.",
      { link, words: "See Your Requests" },
      "The link works once, for up to an hour. If it wasn't you, you don't need to do anything. Only a person who can read this mailbox can see your requests.",
    ],
  }),
});
