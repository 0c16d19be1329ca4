/**
 * Emails to visitors about their request. A visitor may type another person's address, so the emails repeat no typed
 * text. The service and the suburb come from our lists, the company from its account.
 */
import type { Mail } from "./email-layout.ts";

/** A request, in the labels of our lists. */
export type RequestWords = { services: string; place: string | null };

/** How a visitor reaches us, and the site's host; null if it has none of its own. */
export type Reach = { contactPhone: string; contactEmail: string; siteHost: string | null };

const job = ({ services, place }: RequestWords) => (place ? `${services} in ${place}` : services);

/** Sent once the request is on the market, so that no visitor is thanked for one that never gets there. */
export function requestReceived(request: RequestWords, { contactPhone, contactEmail }: Reach): Mail {
  return {
    subject: `We've got your request for ${job(request)}`,
    parts: [
      "Hello,",
      `Thanks for asking us about ${job(request)}. Local providers can see the job now, but not your last name, number or street.`,
      "The first one to take it gets your details and calls you. The others don't. We'll email you to say who it is.",
      `Something not right, or it wasn't you who asked? Call us on ${contactPhone} or email ${contactEmail}, and we'll take it down.`,
    ],
  };
}

/** @param reference the visitor can read it out over the phone */
export function inspectionReceived(
  inspection: RequestWords,
  reference: string | null,
  { contactPhone, contactEmail }: Reach,
): Mail {
  return {
    subject: `We've got your booking for a ${job(inspection)}`,
    parts: [
      "Hello,",
      `Thanks for booking a ${job(inspection)} with us. We'll call you to set a time.`,
      ...(reference ? [`Your reference is ${reference}. Please have it ready if you call us.`] : []),
      `Something not right, or it wasn't you who booked? Call us on ${contactPhone} or email ${contactEmail}, and we'll cancel it.`,
    ],
  };
}

/** @param company the name on its account */
export function requestTaken(request: RequestWords, company: string, reach: Reach): Mail {
  return {
    subject: `${company} has taken your request`,
    parts: [
      "Hello,",
      `${company} has taken your request for ${job(request)}. They have your name, number and address now. No other provider gets them.`,
      "They'll get in touch, and the two of you can agree on a time and a price.",
      `Haven't heard from them in two days? Call us on ${reach.contactPhone}.`,
    ],
  };
}

export function requestWithdrawn(request: RequestWords, { contactPhone, contactEmail }: Reach): Mail {
  return {
    subject: `Your request for ${job(request)} is off our list`,
    parts: [
      "Hello,",
      `We've taken down your request for ${job(request)}. Providers can't see it any more, and none of them has your details.`,
      `If you asked us to, you're all set. If you didn't, call us on ${contactPhone} or email ${contactEmail}, and we'll tell you why.`,
    ],
  };
}

export function requestExpired(request: RequestWords, { contactPhone, siteHost }: Reach): Mail {
  return {
    subject: `No provider has taken your request for ${job(request)}`,
    parts: [
      "Hello,",
      `We're sorry: no provider took your request for ${job(request)}, and it's off our list now. None of them has your details.`,
      siteHost
        ? "If you still need it done, you can ask again. It takes a minute."
        : "If you still need it done, you can ask again on our site. It takes a minute.",
      ...(siteHost ? [{ link: `https://${siteHost}/get-quote`, words: "Get Free Quote" }] : []),
      `Or call us on ${contactPhone} and tell us about the job.`,
    ],
  };
}
