/**
 * Words of messages about leads.
 *
 * Anyone may read a lock screen. So a notification shows the suburb, the job and the price, but nothing about the
 * customer and no notes. A visitor may enter another person's address, so messages to them contain no typed text. The
 * service and the suburb come from our lists, the company from its account.
 */
import { serviceName } from "../../contract/catalogue.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { joinServices } from "../../contract/service-list.ts";
import type { PushContent } from "../outbox/message.ts";
import { gsmLength, MAX_TEXT_LENGTH, toGsmText, truncate } from "../outbox/rules.ts";
import { formatLeadSuburb, type LeadRow } from "./rules.ts";

/** Returns a valid topic: at most 32 characters of the URL-safe alphabet (RFC 8030, 5.4). */
const topicOf = (text: string) => text.replaceAll(/[^\w-]/g, "").slice(-32);

/** Returns options that let a later message with the same tag replace the earlier one. */
export const replacing = (tag: string, urgency: PushContent["urgency"]) => ({
  tag,
  topic: topicOf(tag),
  urgency,
});

/** Returns the services in sentence case: "Lawn mowing, hedge and tree trimming". */
export const servicesOf = ({ serviceType }: Pick<LeadSummary, "serviceType">) => {
  const names = serviceType.map(serviceName).join(", ");
  return names.slice(0, 1) + names.slice(1).toLowerCase();
};

export const placeOf = ({ suburbName, suburbPostcode }: Pick<LeadSummary, "suburbName" | "suburbPostcode">) =>
  suburbName ? [suburbName, suburbPostcode].filter(Boolean).join(" ") : "your region";

/** Returns the body for a title without the place: "Leichhardt 2040 · Lawn mowing · You haven't been charged." */
export const factsOf = (summary: LeadSummary, ...more: readonly string[]) =>
  [summary.suburbName && placeOf(summary), servicesOf(summary), ...more].filter(Boolean).join(" · ");

/** Returns the price without cents of zero: "$50". */
export const dollars = (price: string) => `$${price.replace(/\.00$/, "")}`;

/** Returns the link to a lead on the market. */
export const leadLink = (origin: string, { id }: Pick<LeadSummary, "id">) => `${origin}/dashboard?lead=${id}`;

/** Returns the link to a bought lead. */
export const pipelineLink = (origin: string, purchaseId: string, tab = "leads") =>
  `${origin}/dashboard?tab=${tab}&lead=${purchaseId}`;

/** A request's services and place, as labels. */
export type RequestLabels = { services: string; place: string | null };

/** Returns a request's services and suburb as labels. */
export const labelsOf = (
  lead: Pick<LeadRow, "serviceType" | "suburbName" | "suburbPostcode">,
): RequestLabels => ({
  services: joinServices(lead.serviceType.map((service) => serviceName(service).toLowerCase())),
  place: formatLeadSuburb(lead) || null,
});

/** Returns the job of a request: "lawn mowing in Leichhardt 2040". */
export const describeJob = ({ services, place }: RequestLabels) =>
  place ? `${services} in ${place}` : services;

/** The button to a request's page; none without a link. */
export const linkToPage = (pageLink: string | null) =>
  pageLink ? [{ link: pageLink, words: "Follow Your Request" }] : [];

/** Our phone number, and whether we receive replies. */
export type TextReach = { contactPhone: string; takesReplies: boolean };

/** A name that is cut below this length says nothing. */
const MIN_NAME_LENGTH = 8;

/**
 * Returns a text with a question about the provider. Cuts a name that is too long for one text.
 * @param company the name on the account
 */
export function questionText(
  company: string,
  { contactPhone, takesReplies }: TextReach,
  ask: (name: string) => string,
): string {
  const stop = takesReplies ? ". STOP to opt out" : "";
  const frame = (name: string) => `Naturestrip ${contactPhone}: ${ask(name)}${stop}`;
  const room = MAX_TEXT_LENGTH - gsmLength(frame(""));
  const name = toGsmText(company) || "the provider";
  return frame(gsmLength(name) > room && room < MIN_NAME_LENGTH ? "the provider" : truncate(name, room));
}
