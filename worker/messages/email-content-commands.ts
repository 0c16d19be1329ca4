/** What an email says at the moment it is sent, from what is so then. Links get their secret here, and nowhere else. */
import { and, eq, gt, isNull, sql } from "drizzle-orm";

import { type InspectionId, INSPECTIONS, serviceName } from "../../contract/catalogue.ts";
import { joinServices } from "../../contract/service-list.ts";
import { sydneyMonth } from "../../contract/sydney-time.ts";
import { hashToken, newToken } from "../identity/auth/tokens.ts";
import type { UserRow } from "../platform/session.ts";
import { type Db, database } from "../platform/db/client.ts";
import {
  attention,
  bookings,
  emailLinks,
  leadPurchases,
  leads,
  messages,
  passwordLinks,
  suburbs,
  users,
} from "../platform/db/schema.ts";
import { type Env, settings } from "../platform/env.ts";
import type { LeadRow } from "../leads/rules.ts";
import { runningOut } from "../selling/payments/expiring-cards.ts";
import { takesCards } from "../selling/payments/stripe.ts";
import {
  addressInUse,
  cardsRunOut,
  confirmAddress,
  isNotice,
  needsYou,
  notice,
  resetMessage,
} from "./account-mails.ts";
import type { Mail } from "./email-layout.ts";
import { stoppedSince } from "./email-stop-commands.ts";
import { addressHash, stopLink } from "./email-stop-rules.ts";
import {
  inspectionReceived,
  requestExpired,
  requestReceived,
  requestTaken,
  requestWithdrawn,
  type RequestWords,
} from "./request-mails.ts";

type MessageRow = typeof messages.$inferSelect;

/** How links get their secret; a preview makes none. @returns the link's path, null for one that is over */
export type MakeLink = (message: MessageRow) => Promise<string | null>;

/**
 * Gives a link a new secret, of which only the hash is stored; whatever it had before opens nothing. An email
 * that is tried again thus holds another link, and no row ever holds one.
 */
export function linkMaker(db: Db, now: number): MakeLink {
  return async ({ template, payload: { linkId = "" } }) => {
    const table = template === "password_link" ? passwordLinks : emailLinks;
    const token = newToken();
    const alive = and(eq(table.id, linkId), isNull(table.usedAt), gt(table.expiresAt, now));
    const changed = await db
      .update(table)
      .set({ tokenHash: hashToken(token) })
      .where(alive)
      .returning({ id: table.id });
    if (changed.length === 0) return null;
    return template === "password_link" ? `/reset-password/${token}` : `/confirm-email/${token}`;
  };
}

/** A request in the words of our lists. */
export const wordsOf = ({ serviceType, suburbName, suburbPostcode }: LeadRow): RequestWords => ({
  services: joinServices(serviceType.map((service) => serviceName(service).toLowerCase())),
  place: suburbName ? [suburbName, suburbPostcode].filter(Boolean).join(" ") : null,
});

/** Returns the current buyer's name, or null when the purchase is no longer live. */
export async function takerOf(db: Db, purchaseId: string): Promise<string | null> {
  const [row] = await db
    .select({
      company: leadPurchases.buyerCompany,
      name: leadPurchases.buyerName,
      account: users.companyName,
    })
    .from(leadPurchases)
    .innerJoin(users, eq(users.id, leadPurchases.buyerId))
    .where(and(eq(leadPurchases.id, purchaseId), eq(leadPurchases.paymentStatus, "completed")));
  return row ? (row.account ?? row.company ?? row.name) : null;
}

/** A booked inspection, in words; null when it was erased. */
async function inspectionWords(env: Env, db: Db, bookingId: string): Promise<Mail | null> {
  const [row] = await db
    .select({
      serviceType: bookings.serviceType,
      reference: bookings.reference,
      name: suburbs.name,
      postcode: suburbs.postcode,
    })
    .from(bookings)
    .leftJoin(suburbs, eq(suburbs.id, bookings.suburbId))
    .where(and(eq(bookings.id, bookingId), isNull(bookings.erasedAt)));
  if (!row) return null;
  const services = INSPECTIONS[row.serviceType as InspectionId].toLowerCase();
  const place = row.name ? [row.name, row.postcode].filter(Boolean).join(" ") : null;
  return inspectionReceived({ services, place }, row.reference, settings(env));
}

/** What is so of a request now, in words; null when it need not be said any more. */
async function requestWords(env: Env, db: Db, message: MessageRow): Promise<Mail | null> {
  if (message.template === "inspection_received") return inspectionWords(env, db, message.leadId ?? "");
  const [lead] = await db
    .select()
    .from(leads)
    .where(and(eq(leads.id, message.leadId ?? ""), isNull(leads.erasedAt)));
  if (!lead) return null;
  const { status } = lead;
  const request = wordsOf(lead);
  const reach = settings(env);
  switch (message.template) {
    case "request_received":
      return status === "available" || status === "sold" ? requestReceived(request, reach) : null;
    case "request_taken": {
      const company = await takerOf(db, message.payload.purchaseId ?? "");
      return company === null ? null : requestTaken(request, company, reach);
    }
    case "request_withdrawn":
      return status === "withdrawn" ? requestWithdrawn(request, reach) : null;
    default:
      return status === "expired" ? requestExpired(request, reach) : null;
  }
}

/** Skips addresses that have unsubscribed. Every other email says how to unsubscribe. */
async function aboutRequest(env: Env, db: Db, message: MessageRow): Promise<Mail | null> {
  const email = message.recipient ?? "";
  const [mail, since] = await Promise.all([
    requestWords(env, db, message),
    stoppedSince(db, addressHash(email)),
  ]);
  return mail && since === null ? { ...mail, stop: stopLink(settings(env), email) } : null;
}

async function aboutAttention(env: Env, db: Db, message: MessageRow, user: UserRow): Promise<Mail | null> {
  const items = await db
    .select({ detail: attention.detail, subjectId: attention.subjectId })
    .from(attention)
    .where(
      and(
        // An item that was resolved and came back since belongs to a later email.
        sql`(${attention.kind}, ${attention.subjectId}, ${attention.since}) IN (SELECT value ->> 0, value ->> 1, value ->> 2
          FROM json_each(${JSON.stringify(message.payload.items ?? [])}))`,
        isNull(attention.resolvedAt),
      ),
    );
  return items.length > 0 && user.isSuperAdmin && user.isActive
    ? needsYou(user, settings(env).siteHost, items)
    : null;
}

/** A service that the email depends on did not respond. The message itself is fine, so a later attempt may work. */
export class NotKnownYet extends Error {}

/**
 * Checks the cards again at sending: one may have been removed, replaced or renewed by its bank, or the account
 * closed.
 */
async function aboutCards(env: Env, message: MessageRow, user: UserRow, now: number): Promise<Mail | null> {
  const { payload, recipient } = message;
  const { stripeCustomerId, isActive, email } = user;
  const month = sydneyMonth(now);
  if (!stripeCustomerId || !isActive || email?.toLowerCase() !== recipient) return null;
  if (payload.month !== month || !takesCards(env)) return null;
  let found: Awaited<ReturnType<typeof runningOut>>;
  try {
    found = await runningOut(env, stripeCustomerId, now);
  } catch (error) {
    throw new NotKnownYet("Stripe does not answer", { cause: error });
  }
  const cards = found.cards.filter(({ id }) => payload.cardIds?.includes(id));
  if (cards.length === 0) return null;
  return cardsRunOut(user, cards, { month, goesOn: found.goesOn, host: settings(env).siteHost });
}

async function withLink(message: MessageRow, user: UserRow, makeLink: MakeLink): Promise<Mail | null> {
  const { template, payload } = message;
  const { origin = "" } = payload;
  // When the address belongs to another account, the link has already expired. Make the same queries in both cases.
  const path = await makeLink(message);
  if (template === "address_in_use") return addressInUse(user, origin);
  if (path === null) return null;
  return template === "password_link"
    ? resetMessage(user, `${origin}${path}`)
    : confirmAddress(user, `${origin}${path}`);
}

/**
 * Composes an email from the current data.
 * @param now epoch ms
 * @returns null when the email is no longer needed
 * @throws NotKnownYet when a service that the email depends on does not respond
 */
export async function makeMail(
  env: Env,
  message: MessageRow,
  makeLink: MakeLink,
  now: number,
): Promise<Mail | null> {
  const db = database(env.DB);
  const { template, userId } = message;
  if (message.leadId) return aboutRequest(env, db, message);
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.id, userId ?? ""));
  if (!user) return null;
  if (isNotice(template)) return notice(user, settings(env), template);
  if (template === "card_expiring") return aboutCards(env, message, user, now);
  if (template === "attention") return aboutAttention(env, db, message, user);
  return user.isActive ? withLink(message, user, makeLink) : null;
}
