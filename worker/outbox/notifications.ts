/**
 * The push notifications. All are factual, and the user turned them on for this device. The device shows the app's name
 * as the sender. The user can turn them off with one tap. See docs/decisions (sending rules, with the law's sections).
 *
 * Anyone may read a lock screen. So a notification shows the suburb, the job and the price, but nothing about the
 * customer and no notes.
 */
import { serviceName } from "../../contract/catalogue.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { DECISION_TITLES } from "../../contract/guarantee.ts";
import { label } from "../../contract/lead-labels.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { isolate } from "../../contract/names.ts";
import { centsToText } from "../../contract/money.ts";
import { isStated } from "../../contract/stated-details.ts";
import { formatStars } from "../../contract/reviews.ts";
import { formatDeadline, SYDNEY } from "../../contract/sydney-time.ts";
import { pushEntry, type PushContent, type PushFacts } from "./template.ts";

/**
 * A hold's warning is due this long before the hold expires, in ms. The sweep runs once a minute, so the warning arrives
 * 30 to 90 seconds before the end. It shows a clock time, because its delay varies.
 */
export const WARNING_LEAD_MS = 90_000;

/** Lifetime of an alert about an assigned lead, in ms. The alert may have to wait for quiet hours to end. */
export const ASSIGNED_LIFETIME_MS = DAY_MS;

/** Returns a valid topic: at most 32 characters of the URL-safe alphabet (RFC 8030, 5.4). */
const topicOf = (text: string) => text.replaceAll(/[^\w-]/g, "").slice(-32);

/** Returns options that let a later message with the same tag replace the earlier one. */
const replacing = (tag: string, urgency: PushContent["urgency"]) => ({ tag, topic: topicOf(tag), urgency });

/** Returns the services in sentence case: "Lawn mowing, hedge and tree trimming". */
const servicesOf = ({ serviceType }: Pick<LeadSummary, "serviceType">) => {
  const names = serviceType.map(serviceName).join(", ");
  return names.slice(0, 1) + names.slice(1).toLowerCase();
};

const placeOf = ({ suburbName, suburbPostcode }: Pick<LeadSummary, "suburbName" | "suburbPostcode">) =>
  suburbName ? [suburbName, suburbPostcode].filter(Boolean).join(" ") : "your region";

/** Returns the body for a title without the place: "Leichhardt 2040 · Lawn mowing · You haven't been charged." */
const factsOf = (summary: LeadSummary, ...more: readonly string[]) =>
  [summary.suburbName && placeOf(summary), servicesOf(summary), ...more].filter(Boolean).join(" · ");

const clockFormat = new Intl.DateTimeFormat("en-AU", {
  timeZone: SYDNEY,
  hour: "numeric",
  minute: "2-digit",
});

const newLead = ({ summary, origin }: PushFacts["newLead"]): PushContent => ({
  title: `New lead in ${placeOf(summary)}`,
  body: [
    servicesOf(summary),
    isStated(summary, "urgency") && label(summary.urgency),
    `$${summary.price.replace(/\.00$/, "")}`,
  ]
    .filter(Boolean)
    .join(" · "),
  navigate: `${origin}/dashboard?lead=${summary.id}`,
  ...replacing(summary.id, "high"),
});

function leadDigest({ leads, origin }: PushFacts["digest"]): PushContent {
  const [first] = leads;
  if (first && leads.length === 1) return { ...newLead({ summary: first, origin }), urgency: "normal" };
  const places = [...new Set(leads.map(placeOf))];
  const named = places.slice(0, 3).join(", ");
  return {
    title: `${leads.length} leads you can still buy`,
    body: places.length > 3 ? `${named} and elsewhere` : named,
    navigate: `${origin}/dashboard`,
    ...replacing("lead-digest", "normal"),
  };
}

const pipelineLink = (origin: string, purchaseId: string, tab = "leads") =>
  `${origin}/dashboard?tab=${tab}&lead=${purchaseId}`;

type OfListing = { leadId: string; generation: number };
type OfHold = { holdId: string };
type OfPurchase = { purchaseId: string };

const UPDATE_TITLES: Readonly<Record<PushFacts["update"]["kind"], string>> = {
  changed: "Your customer changed their request",
  withdrawn: "Your customer called off the job",
  erased: "Your customer deleted their details",
  wrong_number: "Your customer's number is wrong",
};

export const NOTIFICATIONS = {
  new_lead: pushEntry({
    about: "newLead",
    reason: "A lead came that the provider watches for and wants alerts about, and the first to buy gets it.",
    windowMs: MINUTE_MS,
    lifetimeMs: 15 * MINUTE_MS,
    key: ({ leadId, generation }: OfListing) => `${leadId}:${generation}`,
    push: newLead,
  }),
  lead_digest: pushEntry({
    about: "digest",
    reason: "What came during quiet hours or a pause, or more than one within a minute: sent once, together.",
    windowMs: MINUTE_MS,
    lifetimeMs: 2 * HOUR_MS,
    // One digest per device and due time, however many leads it covers.
    key: ({ due }: { due: number }) => `${due}`,
    push: leadDigest,
  }),
  lead_won: pushEntry({
    about: "sale",
    reason:
      "The buyer got the lead without having Naturestrip open: a bank took its time, or an admin gave the lead.",
    windowMs: 0,
    lifetimeMs: 15 * MINUTE_MS,
    key: ({ purchaseId }: OfPurchase) => purchaseId,
    push: ({ summary, purchaseId, isGiven, origin }) => ({
      title: isGiven
        ? `We've given you a lead in ${placeOf(summary)}`
        : `The lead in ${placeOf(summary)} is yours`,
      body: `${servicesOf(summary)} · The name and number are in your pipeline. Give them a call.`,
      navigate: pipelineLink(origin, purchaseId),
      ...replacing(summary.id, "normal"),
    }),
  }),
  hold_lapsing: pushEntry({
    about: "hold",
    reason: "A lead is set aside for the buyer, and the time to pay for it is nearly over.",
    windowMs: 0,
    lifetimeMs: WARNING_LEAD_MS,
    key: ({ holdId }: OfHold) => holdId,
    push: ({ summary, endsAt, origin }) => ({
      title: `Pay by ${clockFormat.format(endsAt)} to keep your lead`,
      body: factsOf(summary, "After that it goes back on the market."),
      navigate: `${origin}/dashboard?lead=${summary.id}`,
      ...replacing(summary.id, "high"),
    }),
  }),
  hold_lapsed: pushEntry({
    about: "lapse",
    reason: "The buyer ran out of time to pay and didn't have Naturestrip open.",
    windowMs: 0,
    lifetimeMs: 15 * MINUTE_MS,
    key: ({ holdId }: OfHold) => holdId,
    push: ({ summary, isForSale, origin }) => ({
      title: isForSale ? "Time's up: your lead is back on the market" : "Time's up: your lead is gone",
      body: factsOf(summary, "You haven't been charged."),
      navigate: isForSale ? `${origin}/dashboard?lead=${summary.id}` : `${origin}/dashboard`,
      ...replacing(summary.id, "normal"),
    }),
  }),
  paid_too_late: pushEntry({
    about: "refund",
    reason: "The buyer's payment came when the lead was gone, and is refunded.",
    windowMs: 0,
    lifetimeMs: HOUR_MS,
    key: ({ paymentIntentId }: { paymentIntentId: string }) => paymentIntentId,
    push: ({ summary, cents, isTheirs, origin }) => ({
      title: `Your $${centsToText(cents).replace(/\.00$/, "")} is on its way back`,
      body: isTheirs
        ? `You'd already paid for the lead in ${placeOf(summary)}. It's still yours.`
        : `The lead in ${placeOf(summary)} was gone before your payment arrived.`,
      navigate: `${origin}/receipts`,
      ...replacing(summary.id, "normal"),
    }),
  }),
  mentioned: pushEntry({
    about: "mention",
    reason: "A member of the business wrote their name in a lead's notes.",
    windowMs: 10 * MINUTE_MS,
    lifetimeMs: 12 * HOUR_MS,
    key: ({ purchaseId, at }: OfPurchase & { at: number }) => `${purchaseId}:${at}`,
    push: ({ summary, by, purchaseId, tab, origin }) => ({
      title: `${by === null ? "Someone on your team" : isolate(by)} mentioned you in a note`,
      body: factsOf(summary),
      navigate: pipelineLink(origin, purchaseId, tab),
      ...replacing(`mention-${purchaseId}`, "normal"),
    }),
  }),
  team_sale: pushEntry({
    about: "teamSale",
    reason: "Their business got a lead, and their owner chose them for such alerts.",
    windowMs: 0,
    lifetimeMs: 2 * HOUR_MS,
    key: ({ purchaseId }: OfPurchase) => purchaseId,
    push: ({ summary, purchaseId, tab, origin }) => ({
      title: `Your team got a lead in ${placeOf(summary)}`,
      body: `${servicesOf(summary)} · The name and number are in your pipeline.`,
      navigate: pipelineLink(origin, purchaseId, tab),
      ...replacing(purchaseId, "high"),
    }),
  }),
  customer_answered: pushEntry({
    about: "answer",
    reason: "A customer whose request they bought replied to our text message, and waits for a call.",
    // One window per purchase. lead-commands.ts decides when the phone rings again.
    windowMs: 5 * MINUTE_MS,
    lifetimeMs: 12 * HOUR_MS,
    key: ({ answerId }: { answerId: string }) => answerId,
    push: ({ summary, purchaseId, origin }) => ({
      title: "Your customer wrote back",
      body: factsOf(summary),
      navigate: pipelineLink(origin, purchaseId),
      ...replacing(summary.id, "high"),
    }),
  }),
  call_reminder: pushEntry({
    about: "callReminder",
    reason: "They bought a lead and have not called the customer, and three quarters of the time is over.",
    windowMs: 0,
    lifetimeMs: 6 * HOUR_MS,
    key: ({ purchaseId }: OfPurchase) => purchaseId,
    push: ({ summary, purchaseId, endsAt, origin }) => ({
      title: `Call your customer by ${formatDeadline(endsAt)}`,
      body: factsOf(summary, "They're waiting to hear from you."),
      navigate: pipelineLink(origin, purchaseId),
      ...replacing(`call-${purchaseId}`, "high"),
    }),
  }),
  call_answered: pushEntry({
    about: "callAnswer",
    reason: "A customer whose request they bought says that no call came, or that they never asked.",
    windowMs: 5 * MINUTE_MS,
    lifetimeMs: 6 * HOUR_MS,
    key: ({ purchaseId, at }: OfPurchase & { at: number }) => `${purchaseId}:${at}`,
    push: ({ summary, purchaseId, answer, endsAt, origin }) => ({
      title:
        answer === "not_yet"
          ? "Your customer says you haven't called"
          : "Your customer says they never asked for this",
      body:
        answer === "never_asked"
          ? factsOf(summary, "Please don't call. We're looking into it.")
          : factsOf(summary, endsAt ? `Please call by ${formatDeadline(endsAt)}.` : "Please call."),
      navigate: pipelineLink(origin, purchaseId),
      ...replacing(`call-${purchaseId}`, "high"),
    }),
  }),
  rescue_offer: pushEntry({
    about: "rescueOffer",
    reason: "They lost a lead to a provider who did not call, and can now buy it before the market sees it.",
    windowMs: 0,
    lifetimeMs: 15 * HOUR_MS,
    // An offer in a paused region starts again.
    key: ({ leadId, endsAt }: { leadId: string; endsAt: number }) => `${leadId}:${endsAt}`,
    push: ({ summary, endsAt, origin }) => ({
      title: `A lead in ${placeOf(summary)}, just for you`,
      body: `${servicesOf(summary)} · $${summary.price.replace(/\.00$/, "")} · Yours to buy until ${formatDeadline(endsAt)}`,
      navigate: `${origin}/dashboard?lead=${summary.id}`,
      ...replacing(summary.id, "high"),
    }),
  }),
  lead_rescued: pushEntry({
    about: "rescued",
    reason:
      "The customer of a lead they bought says that no call came, so we offer the request to the next provider.",
    windowMs: 0,
    lifetimeMs: 12 * HOUR_MS,
    key: ({ purchaseId }: OfPurchase) => purchaseId,
    push: ({ summary, purchaseId, origin }) => ({
      title: "Your customer's request has been passed on",
      body: factsOf(summary, "They say no call has reached them."),
      navigate: pipelineLink(origin, purchaseId),
      ...replacing(`call-${purchaseId}`, "normal"),
    }),
  }),
  review_written: pushEntry({
    about: "review",
    reason: "A customer reviewed their business, and they can reply.",
    windowMs: 0,
    lifetimeMs: DAY_MS,
    key: ({ purchaseId }: OfPurchase) => purchaseId,
    push: ({ summary, stars, origin }) => ({
      title: `You have a new review: ${formatStars(stars)}`,
      body: factsOf(summary),
      navigate: `${origin}/my-reviews`,
      ...replacing(`review-${summary.id}`, "normal"),
    }),
  }),
  own_review_hidden: pushEntry({
    about: "hiddenOwnReview",
    reason: "An admin hid a review of their business.",
    windowMs: 0,
    lifetimeMs: DAY_MS,
    key: ({ purchaseId, at }: OfPurchase & { at: number }) => `${purchaseId}:${at}`,
    push: ({ summary, origin }) => ({
      title: "We've hidden a review of your business",
      body: factsOf(summary),
      navigate: `${origin}/my-reviews`,
      ...replacing(`review-${summary.id}`, "normal"),
    }),
  }),
  free_claim_decided: pushEntry({
    about: "freeClaim",
    reason: "Their free claim was granted, refused, revoked or passed to an admin.",
    windowMs: 0,
    lifetimeMs: DAY_MS,
    key: ({ purchaseId, at }: OfPurchase & { at: number }) => `${purchaseId}:${at}`,
    push: ({ summary, purchaseId, state, origin }) => ({
      title: DECISION_TITLES[state],
      body: factsOf(summary),
      navigate: pipelineLink(origin, purchaseId),
      ...replacing(`claim-${purchaseId}`, "normal"),
    }),
  }),
  customer_update: pushEntry({
    about: "update",
    reason: "A customer whose request they bought changed it, called it off, or deleted their details.",
    windowMs: 5 * MINUTE_MS,
    lifetimeMs: 12 * HOUR_MS,
    key: ({ updateId }: { updateId: string }) => updateId,
    push: ({ summary, kind, purchaseId, origin }) => ({
      title: UPDATE_TITLES[kind],
      body: factsOf(summary),
      navigate: pipelineLink(origin, purchaseId),
      ...replacing(summary.id, "high"),
    }),
  }),
  test: pushEntry({
    about: "test",
    reason: "The user pressed Send a test.",
    windowMs: MINUTE_MS,
    lifetimeMs: 5 * MINUTE_MS,
    key: ({ deviceId, window }: { deviceId: string; window: number }) => `${deviceId}:${window}`,
    push: ({ origin, isTeam }) => ({
      title: "Notifications are working",
      body: isTeam
        ? "This is how we'll let you know when something happens."
        : "This is how we'll tell you about a new lead.",
      navigate: `${origin}/settings?tab=alerts`,
      ...replacing("test", "high"),
    }),
  }),
};

export type PushTemplate = keyof typeof NOTIFICATIONS;
