/**
 * Emails and texts to visitors about their requests. A visitor may enter another person's address, so messages contain
 * no typed text. The service and the suburb come from our lists, the company from its account.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { describeCheck } from "../../contract/checks.ts";
import { formatPhone } from "../../contract/phone.ts";
import { formatMean, REVIEW_OPEN_DAYS } from "../../contract/reviews.ts";
import { formatDeadline } from "../../contract/sydney-time.ts";
import { emailEntry, type RequestLabels } from "./template.ts";
import { truncate, toGsmText, gsmLength } from "./text-rules.ts";

/** Maximum messages of a template per mailbox or number and day. A visitor may enter any address. */
export const MAX_PER_ADDRESS_AND_DAY = 3;

/**
 * Emails about requests that a stranger can trigger. The others follow from what a provider does. The notice of a removed
 * address is not here. Otherwise a person could use up the limit, replace the address, and so hide the notice.
 */
export const STRANGERS_REQUEST_EMAILS: readonly string[] = [
  "request_received",
  "request_email_added",
  "request_list",
  "inspection_received",
  "request_withdrawn",
];

const job = ({ services, place }: RequestLabels) => (place ? `${services} in ${place}` : services);

/** Our phone number, and whether we receive replies. */
type TextReach = { contactPhone: string; takesReplies: boolean };

const MAX_TEXT_LENGTH = 160;
/** The visitor knows the job, so shorten it first to fit the company's name, down to this many characters. */
const MIN_JOB_LENGTH = 12;
/** A name that is cut below this length says nothing. */
const MIN_NAME_LENGTH = 8;
const MAX_JOB_LENGTH = 40;

/**
 * Returns the text's frame. If we receive replies, we forward them to the provider. The text then says so and puts our
 * phone number next to our name.
 */
function frameOf({ contactPhone, takesReplies }: TextReach): (name: string, job: string) => string {
  return takesReplies
    ? (name, job) =>
        `Naturestrip ${contactPhone}: ${name} has taken your request for ${job} and will call you. Reply to message them, or STOP to opt out`
    : (name, job) =>
        `Naturestrip: ${name} has taken your request for ${job} and will call you. Questions? Call ${contactPhone}`;
}

/** @param company the name on the account; cut if it is too long for one text */
export function requestTakenText(
  { services }: Pick<RequestLabels, "services">,
  company: string,
  reach: TextReach,
): string {
  const frame = frameOf(reach);
  const name = toGsmText(company) || "A provider";
  const room = MAX_TEXT_LENGTH - gsmLength(frame("", ""));
  const forJob = Math.min(MAX_JOB_LENGTH, Math.max(MIN_JOB_LENGTH, room - gsmLength(name)));
  const job = truncate(toGsmText(services), forJob);
  return frame(truncate(name, room - gsmLength(job)), job);
}

/** Returns a text with a question about the provider. Cuts a name that is too long for one text. */
function questionText(
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

/** @param company the name on the account */
export const didTheyCallText = (company: string, pageLink: string, reach: TextReach) =>
  questionText(company, reach, (name) => `Has ${name} called you yet? Tell us: ${pageLink}`);

/** Follows a reply that was neither yes nor no. */
export const unclearReplyText = (pageLink: string, { contactPhone }: TextReach) =>
  `Naturestrip ${contactPhone}: Was that a yes or a no? Tell us: ${pageLink}. STOP to opt out`;

/** @param company the name on the account */
export const missedCallsText = (company: string, pageLink: string, reach: TextReach) =>
  questionText(company, reach, (name) => `${name} says you missed their calls. Right? ${pageLink}`);

/** @param company the name on the account */
export const reviewText = (company: string, reviewLink: string, reach: TextReach) =>
  questionText(company, reach, (name) => `How was ${name}? Write a review: ${reviewLink}`);

/** @param company the name on the account */
export const hiddenReviewText = (company: string, rule: string, reach: TextReach) =>
  questionText(company, reach, (name) => `We've hidden your review of ${name}. ${toGsmText(rule)}`);

type OfRequest = { leadId: string };
type OfListing = { leadId: string; generation: number };
type OfPurchase = { purchaseId: string };

const keyOfListing = ({ leadId, generation }: OfListing) => `${leadId}:${generation}`;

const keyOfChange = ({ leadId, revision }: OfRequest & { revision: number }) => `${leadId}:${revision}`;

const linkToPage = (pageLink: string | null) =>
  pageLink ? [{ link: pageLink, words: "Follow Your Request" }] : [];

export const REQUEST_MESSAGES = {
  /** Sent when the request is listed, so a quarantined request gets no thank-you email. */
  request_received: emailEntry({
    about: "request",
    reason: "Their request is on the market.",
    lifetimeMs: 6 * HOUR_MS,
    key: ({ leadId }: OfRequest) => leadId,
    email: ({ request, status, reach: { contactPhone, contactEmail }, pageLink }) =>
      status === "available" || status === "sold"
        ? {
            subject: `We've got your request for ${job(request)}`,
            parts: [
              "Hello,",
              `Thanks for asking us about ${job(request)}. Local providers can see the job now, but not your last name, number or street.`,
              "The first one to take it gets your details and calls you. The others don't. We'll email you to say who it is.",
              ...linkToPage(pageLink),
              `Something not right, or it wasn't you who asked? Call us on ${contactPhone} or email ${contactEmail}, and we'll take it down.`,
            ],
          }
        : null,
  }),
  request_email_added: emailEntry({
    about: "request",
    reason: "This address was added to their request, or replaced its old one.",
    lifetimeMs: 6 * HOUR_MS,
    key: keyOfChange,
    email: ({ request, reach: { contactPhone, contactEmail }, pageLink }) => ({
      subject: `We'll email you here about your request for ${job(request)}`,
      parts: [
        "Hello,",
        `From now on, we'll email you here about your request for ${job(request)}.`,
        ...linkToPage(pageLink),
        `Didn't ask for this? Call us on ${contactPhone} or email ${contactEmail}, and we'll remove this address.`,
      ],
    }),
  }),
  /** Has no link: the address may belong to a stranger. */
  request_email_removed: emailEntry({
    about: "request",
    reason:
      "Someone with the link and the last digits of the phone number changed the address of their request.",
    lifetimeMs: DAY_MS,
    key: keyOfChange,
    email: ({ request, reach: { contactPhone, contactEmail } }) => ({
      subject: `We won't email you here about your request for ${job(request)} any more`,
      parts: [
        "Hello,",
        `Your request for ${job(request)} has a new email address. We'll send news about it there.`,
        `If you didn't change it, call us on ${contactPhone} or email ${contactEmail}, and we'll change it back.`,
      ],
    }),
  }),
  request_taken: emailEntry({
    about: "purchase",
    reason: "A provider has their name and number now.",
    lifetimeMs: DAY_MS,
    key: ({ purchaseId }: OfPurchase) => purchaseId,
    email: ({ request, company, phone, rating, checks, callBy, reach, pageLink }) => ({
      subject: `${company} has taken your request`,
      parts: [
        "Hello,",
        `${company} has taken your request for ${job(request)}. They have your name, number and address now. Only one provider at a time gets them.`,
        `They'll call you${callBy === null ? "" : ` by ${formatDeadline(callBy)}`}, and the two of you can agree on a time and a price.${phone ? ` Their number is ${formatPhone(phone)}.` : ""}`,
        ...(rating.shown > 0 || checks.length > 0
          ? [
              "What we know about them:",
              { list: [...(rating.shown > 0 ? [formatMean(rating)] : []), ...checks.map(describeCheck)] },
            ]
          : []),
        ...linkToPage(pageLink),
        pageLink
          ? `If they don't call, tell us on that page or on ${reach.contactPhone}, and we'll step in.`
          : `If they don't call, tell us on ${reach.contactPhone}, and we'll step in.`,
      ],
    }),
    text: ({ request, company, reach, takesReplies }) =>
      requestTakenText(request, company, { contactPhone: reach.contactPhone, takesReplies }),
  }),
  did_they_call: emailEntry({
    about: "callQuestion",
    reason: "A provider has their request, and we check that the provider calls.",
    lifetimeMs: DAY_MS,
    key: ({ purchaseId, isAgain, isUnclear }: OfPurchase & { isAgain: boolean; isUnclear?: boolean }) =>
      isUnclear ? `${purchaseId}:unclear` : isAgain ? `${purchaseId}:again` : purchaseId,
    email: ({ request, company, isAgain, reach: { contactPhone }, pageLink }) => ({
      subject: `Did ${company} call you?`,
      parts: [
        "Hello,",
        isAgain
          ? `You said you haven't had a call about your request for ${job(request)}. ${company} has logged a call or a text to you. Did you get it?`
          : `${company} has your request for ${job(request)}. Have they called you?`,
        { link: pageLink, words: "Tell Us" },
        `If they haven't called, tell us and we'll step in. You can also call us on ${contactPhone}.`,
      ],
    }),
    text: ({ company, pageLink, isUnclear, takesReplies, reach: { contactPhone } }) =>
      isUnclear
        ? unclearReplyText(pageLink, { contactPhone, takesReplies })
        : didTheyCallText(company, pageLink, { contactPhone, takesReplies }),
  }),
  missed_calls: emailEntry({
    about: "missedCalls",
    reason: "A provider says they called three times without an answer, and may get a free claim for it.",
    lifetimeMs: DAY_MS,
    key: ({ purchaseId }: OfPurchase) => purchaseId,
    email: ({ request, company, reach: { contactPhone }, pageLink }) => ({
      subject: `${company} couldn't reach you`,
      parts: [
        "Hello,",
        `${company} has your request for ${job(request)}. They say they've called you at least three times without an answer. Is that right?`,
        { link: pageLink, words: "Tell Us" },
        `Their number is on that page, if you'd like to call them back. You can also call us on ${contactPhone}.`,
      ],
    }),
    text: ({ company, pageLink, takesReplies, reach: { contactPhone } }) =>
      missedCallsText(company, pageLink, { contactPhone, takesReplies }),
  }),
  review_invitation: emailEntry({
    about: "reviewInvitation",
    reason: "A provider bought their request, and we ask every such customer once for a review.",
    lifetimeMs: 3 * DAY_MS,
    key: ({ purchaseId }: OfPurchase) => purchaseId,
    email: ({ request, company, reach: { contactPhone }, reviewLink }) => ({
      subject: `How was ${company}?`,
      parts: [
        "Hello,",
        `${company} had your request for ${job(request)}. How did it go? Good or bad, your review helps your neighbours decide whether to book.`,
        { link: reviewLink, words: "Write a Review" },
        `We won't ask again. The link works for ${REVIEW_OPEN_DAYS} days. We show your first name and suburb with the review, never your number or address.`,
        `Anything we should sort out? Call us on ${contactPhone}.`,
      ],
    }),
    text: ({ company, reviewLink, takesReplies, reach: { contactPhone } }) =>
      reviewText(company, reviewLink, { contactPhone, takesReplies }),
  }),
  review_hidden: emailEntry({
    about: "hiddenReview",
    reason: "An admin hid their review, and they can object.",
    lifetimeMs: 3 * DAY_MS,
    key: ({ purchaseId, at }: OfPurchase & { at: number }) => `${purchaseId}:${at}`,
    email: ({ request, company, rule, reach: { contactPhone, siteUrl } }) => ({
      subject: `We've hidden your review of ${company}`,
      parts: [
        "Hello,",
        `We've hidden your review of ${company}, about your request for ${job(request)}. ${rule}.`,
        "We hide a review only by one of our published rules.",
        ...(siteUrl ? [{ link: `${siteUrl}/reviews`, words: "Read the Rules" }] : []),
        `Did we get it wrong? Call us on ${contactPhone}, and we'll look at it again.`,
      ],
    }),
    text: ({ company, rule, takesReplies, reach: { contactPhone } }) =>
      hiddenReviewText(company, rule, { contactPhone, takesReplies }),
  }),
  request_withdrawn: emailEntry({
    about: "request",
    reason: "Their request is off the market.",
    lifetimeMs: DAY_MS,
    key: keyOfListing,
    email: ({ request, status, reach: { contactPhone, contactEmail } }) =>
      status === "withdrawn"
        ? {
            subject: `Your request for ${job(request)} is off our list`,
            parts: [
              "Hello,",
              `We've taken down your request for ${job(request)}. Providers can't see it any more, and none of them has your details.`,
              `If you asked us to, you're all set. If you didn't, call us on ${contactPhone} or email ${contactEmail}, and we'll tell you why.`,
            ],
          }
        : null,
  }),
  request_expired: emailEntry({
    about: "request",
    reason: "No provider took their request in time.",
    lifetimeMs: 3 * DAY_MS,
    key: keyOfListing,
    email: ({ request, status, reach: { contactPhone, siteUrl } }) =>
      status === "expired"
        ? {
            subject: `No provider has taken your request for ${job(request)}`,
            parts: [
              "Hello,",
              `We're sorry: no provider took your request for ${job(request)}, and it's off our list now. None of them has your details.`,
              siteUrl
                ? "If you still need it done, you can ask again. It takes a minute."
                : "If you still need it done, you can ask again on our site. It takes a minute.",
              ...(siteUrl ? [{ link: `${siteUrl}/get-quote`, words: "Get Free Quote" }] : []),
              `Or call us on ${contactPhone} and tell us about the job.`,
            ],
          }
        : null,
  }),
  /** Contains no details of the requests: a stranger may have entered the address. */
  request_list: emailEntry({
    about: "requestList",
    reason: "Someone asked for a link to all requests sent with this address.",
    lifetimeMs: 30 * MINUTE_MS,
    email: ({ link }) => ({
      subject: "Your requests at Naturestrip",
      parts: [
        "Hello,",
        "Someone (hopefully you) asked for a link to all requests that were sent with this email address.",
        { link, words: "See Your Requests" },
        "The link works once, for up to an hour. If it wasn't you, you don't need to do anything. Only a person who can read this mailbox can see your requests.",
      ],
    }),
  }),
  inspection_received: emailEntry({
    about: "booking",
    reason: "They booked an inspection.",
    lifetimeMs: 6 * HOUR_MS,
    key: ({ leadId }: OfRequest) => leadId,
    email: ({ inspection, reference, reach: { contactPhone, contactEmail } }) => ({
      subject: `We've got your booking for a ${job(inspection)}`,
      parts: [
        "Hello,",
        `Thanks for booking a ${job(inspection)} with us. We'll call you to set a time.`,
        ...(reference ? [`Your reference is ${reference}. Please have it ready if you call us.`] : []),
        `Something not right, or it wasn't you who booked? Call us on ${contactPhone} or email ${contactEmail}, and we'll cancel it.`,
      ],
    }),
  }),
};

export type RequestTemplate = keyof typeof REQUEST_MESSAGES;
