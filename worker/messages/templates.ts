/**
 * The texts of push notifications. All are factual and requested: the user turned notifications on for this device.
 * Each names its sender, because the app's name stands above it. The user turns them off with one press, in the
 * settings or in the browser. See docs/decisions (sending rules, with the law's sections).
 */
import { serviceName } from "../../contract/catalogue.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { label, type LeadSummary } from "../../contract/leads.ts";
import { centsToText } from "../../contract/money.ts";
import { SYDNEY } from "../../contract/sydney-time.ts";

/** A notification as the device shows it, and its delivery options for the push service. */
export type PushContent = {
  title: string;
  body: string;
  /** The page that a click opens. Absolute, as the declarative form requires. */
  navigate: string;
  /** A later notification with the same tag replaces the earlier one. */
  tag: string;
  /** Until the service reaches the device, a later message with the same topic replaces the earlier one. */
  topic: string;
  urgency: "high" | "normal";
};

/** Finished messages are kept this long, so that no message is sent twice. */
export const KEPT_MS = 7 * DAY_MS;

/** Returns a valid topic: at most 32 characters of the URL-safe alphabet (RFC 8030, 5.4). */
export const topicOf = (text: string) => text.replaceAll(/[^\w-]/g, "").slice(-32);

/** Returns the body for a title without the place: "Leichhardt 2040 · Lawn mowing · You haven't been charged." */
export const factsOf = (summary: LeadSummary, ...more: readonly string[]) =>
  [summary.suburbName && placeOf(summary), servicesOf(summary), ...more].filter(Boolean).join(" · ");

export const placeOf = ({ suburbName, suburbPostcode }: Pick<LeadSummary, "suburbName" | "suburbPostcode">) =>
  suburbName ? [suburbName, suburbPostcode].filter(Boolean).join(" ") : "your region";

/**
 * Builds the notification of a new lead. Anyone may read a lock screen, so it shows the suburb, the job and the price.
 * It shows nothing of the customer, although the market itself shows a first name.
 * @param summary as rivals see it
 * @param origin the site's origin for the device
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

/** Returns one line with one capital: "Lawn mowing, hedge and tree trimming". */
export const servicesOf = ({ serviceType }: Pick<LeadSummary, "serviceType">) => {
  const names = serviceType.map(serviceName).join(", ");
  return names.slice(0, 1) + names.slice(1).toLowerCase();
};

/** Options for a lead that the recipient pays for. A later message replaces the earlier one and the new-lead alert. */
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

/** Tells a provider that they got a lead. @param isGiven true if an admin assigned it, false if they bought it */
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

/** Warns a buyer that the time to pay is nearly over. @param endsAt epoch ms */
export function holdLapsing(summary: LeadSummary, endsAt: number, origin: string): PushContent {
  return {
    title: `Pay by ${clockFormat.format(endsAt)} to keep your lead`,
    body: factsOf(summary, "After that it goes back on the market."),
    navigate: `${origin}/dashboard?lead=${summary.id}`,
    ...ownLead(summary, "high"),
  };
}

/** Tells a buyer that the time to pay ran out. @param isForSale whether the lead can still be bought */
export function holdLapsed(summary: LeadSummary, isForSale: boolean, origin: string): PushContent {
  return {
    title: isForSale ? "Time's up: your lead is back on the market" : "Time's up: your lead is gone",
    body: factsOf(summary, "You haven't been charged."),
    navigate: isForSale ? `${origin}/dashboard?lead=${summary.id}` : `${origin}/dashboard`,
    ...ownLead(summary, "normal"),
  };
}

/**
 * Tells a buyer that a payment is refunded.
 * @param cents the full amount; `isTheirs`: the buyer has the lead through another payment
 */
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

/** Tells a provider that a customer replied. The name and the message stay in the pipeline, off the lock screen. */
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

/** Announces several leads, or those of a night. @param leads still available, newest first; at least one */
export function leadDigest(leads: readonly LeadSummary[], origin: string): PushContent {
  const [first] = leads;
  if (first && leads.length === 1) return { ...newLead(first, origin), urgency: "normal" };
  const places = [...new Set(leads.map(placeOf))];
  const named = places.slice(0, 3).join(", ");
  return {
    title: `${leads.length} leads you can still buy`,
    body: places.length > 3 ? `${named} and elsewhere` : named,
    navigate: `${origin}/dashboard`,
    tag: "lead-digest",
    topic: "lead-digest",
    urgency: "normal",
  };
}

/** Builds the notification for "Send a test". @param isTeam a team member, who receives no new-lead alerts */
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
