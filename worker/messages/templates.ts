/**
 * What is said, to whom and why. All of it is factual and asked for: the person turned notifications on for
 * this device, every one names its sender (the app's name stands above it), and turning them off takes one
 * press, in the settings and in the browser itself (docs/decisions: sending rules, with the law's sections).
 */
import { serviceName } from "../../contract/catalogue.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { label, type LeadSummary } from "../../contract/leads.ts";
import { centsToText } from "../../contract/money.ts";
import { SYDNEY } from "../../contract/sydney-time.ts";

/** What a device is shown, and how its push service is to treat it. */
export type PushContent = {
  title: string;
  body: string;
  /** What a click opens; absolute, as the declarative form asks. */
  navigate: string;
  /** A later notification with the same tag takes the place of the earlier one. */
  tag: string;
  /** At a push service that has not reached the device yet, a later message takes the earlier one's place. */
  topic: string;
  urgency: "high" | "normal";
};

/** Messages that are over are kept for so long, so that what was sent is not sent again. */
export const KEPT_MS = 7 * DAY_MS;

/** 32 letters of the URL's alphabet at most (RFC 8030, 5.4). */
export const topicOf = (text: string) => text.replaceAll(/[^\w-]/g, "").slice(-32);

/** What goes with a title that leaves the place out: "Leichhardt 2040 · Lawn mowing · You haven't been charged." */
export const factsOf = (summary: LeadSummary, ...more: readonly string[]) =>
  [summary.suburbName && placeOf(summary), servicesOf(summary), ...more].filter(Boolean).join(" · ");

export const placeOf = ({ suburbName, suburbPostcode }: Pick<LeadSummary, "suburbName" | "suburbPostcode">) =>
  suburbName ? [suburbName, suburbPostcode].filter(Boolean).join(" ") : "your region";

/**
 * A new lead. A lock screen is read by anybody: the suburb, the job and the price, and nothing of the person,
 * though the market itself shows a first name.
 * @param summary as rivals read it
 * @param origin where the site is for the device
 */
export function newLead(summary: LeadSummary, origin: string): PushContent {
  return {
    title: `New lead in ${placeOf(summary)}`,
    body: [servicesOf(summary), label(summary.urgency), `$${summary.price.replace(/\.00$/, "")}`]
      .filter(Boolean)
      .join(" · "),
    navigate: `${origin}/dashboard?lead=${summary.id}`,
    tag: summary.id,
    topic: topicOf(summary.id),
    urgency: "high",
  };
}

/** One line with one capital: "Lawn mowing, hedge and tree trimming". */
export const servicesOf = ({ serviceType }: Pick<LeadSummary, "serviceType">) => {
  const names = serviceType.map(serviceName).join(", ");
  return names.slice(0, 1) + names.slice(1).toLowerCase();
};

/** Of a lead that one's own money is about: a later word takes the earlier one's place, and the lead's own. */
const ownLead = (summary: LeadSummary, urgency: PushContent["urgency"]) => ({
  tag: summary.id,
  topic: topicOf(summary.id),
  urgency,
});

const clockFormat = new Intl.DateTimeFormat("en-AU", {
  timeZone: SYDNEY,
  hour: "numeric",
  minute: "2-digit",
});

/** A lead became theirs. @param isGiven by an admin; otherwise they bought it */
export function leadWon(
  summary: LeadSummary,
  { purchaseId, isGiven, origin }: { purchaseId: string; isGiven: boolean; origin: string },
): PushContent {
  const place = placeOf(summary);
  return {
    title: isGiven ? `We've given you a lead in ${place}` : `The lead in ${place} is yours`,
    body: `${servicesOf(summary)} · The name and number are in your pipeline. Give them a call.`,
    navigate: `${origin}/dashboard?tab=leads&lead=${purchaseId}`,
    ...ownLead(summary, "normal"),
  };
}

/** The time to pay is nearly over. @param endsAt epoch ms */
export function holdLapsing(summary: LeadSummary, endsAt: number, origin: string): PushContent {
  return {
    title: `Pay by ${clockFormat.format(endsAt)} to keep your lead`,
    body: factsOf(summary, "After that it goes back on the market."),
    navigate: `${origin}/dashboard?lead=${summary.id}`,
    ...ownLead(summary, "high"),
  };
}

/** The time to pay ran out. @param isForSale whether somebody may still buy it */
export function holdLapsed(summary: LeadSummary, isForSale: boolean, origin: string): PushContent {
  return {
    title: isForSale ? "Time's up: your lead is back on the market" : "Time's up: your lead is gone",
    body: factsOf(summary, "You haven't been charged."),
    navigate: isForSale ? `${origin}/dashboard?lead=${summary.id}` : `${origin}/dashboard`,
    ...ownLead(summary, "normal"),
  };
}

/** A payment goes back. @param cents all of it; `isTheirs`: they have the lead, by another payment */
export function paidTooLate(
  summary: LeadSummary,
  { cents, isTheirs, origin }: { cents: number; isTheirs: boolean; origin: string },
): PushContent {
  const place = placeOf(summary);
  return {
    title: `Your $${centsToText(cents).replace(/\.00$/, "")} is on its way back`,
    body: isTheirs
      ? `You'd already paid for the lead in ${place}. It's still yours.`
      : `The lead in ${place} was gone before your payment arrived.`,
    navigate: `${origin}/receipts`,
    ...ownLead(summary, "normal"),
  };
}

/** A customer of theirs wrote back. Who it is and what they wrote stands in the pipeline, on no lock screen. */
export function customerAnswered(
  summary: LeadSummary,
  { purchaseId, origin }: { purchaseId: string; origin: string },
): PushContent {
  return {
    title: "Your customer wrote back",
    body: factsOf(summary),
    navigate: `${origin}/dashboard?tab=leads&lead=${purchaseId}`,
    ...ownLead(summary, "high"),
  };
}

/** Several leads at once, or those of a night. @param leads still to be had, newest first; at least one */
export function leadDigest(leads: readonly LeadSummary[], more: number, origin: string): PushContent {
  const total = leads.length + more;
  const [first] = leads;
  if (first && total === 1) return { ...newLead(first, origin), urgency: "normal" };
  const places = [...new Set(leads.map(placeOf))];
  const named = places.slice(0, 3);
  const isRest = more > 0 || places.length > named.length;
  return {
    title: `${more > 0 ? `${leads.length} or more` : total} leads you can still buy`,
    body: isRest ? `${named.join(", ")} and elsewhere` : named.join(", "),
    navigate: `${origin}/dashboard`,
    tag: "lead-digest",
    topic: "lead-digest",
    urgency: "normal",
  };
}

/** What "Send a test" shows. @param isTeam a team member, who hears of no new leads */
export function testMessage(origin: string, isTeam = false): PushContent {
  return {
    title: "Notifications are working",
    body: isTeam
      ? "This is how we'll let you know when something happens."
      : "This is how we'll tell you about a new lead.",
    navigate: `${origin}/settings?tab=notifications`,
    tag: "test",
    topic: "test",
    urgency: "high",
  };
}
