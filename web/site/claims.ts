import type { PageServiceId } from "../../contract/catalogue.ts";
import decisions from "../../data/claims.json" with { type: "json" };

/** Rating shown on each suburb's page and in its structured data. */
export const SUBURB_RATING = { ratingValue: 4.8, reviewCount: 150 };

/**
 * All marketing claims on the site. Each needs an operator who can stand behind it.
 *
 * Australian Consumer Law (Schedule 2 of the Competition and Consumer Act 2010, sections 18, 29 and 34) forbids
 * misleading claims, no matter who wrote them. `npm run operate -- claims` lists the claims and records each decision
 * in data/claims.json. A deployment fails until every claim has a decision. Show a claim only while records can prove
 * its `condition`. Review each claim every quarter.
 */
export const CLAIMS = {
  headline: {
    text: "Get Your Perfect Lawn in 24 Hours",
    condition: "most customers who ask for it get a mowed lawn within 24 hours",
  },
  quickService: {
    text: "15-30 minutes",
    condition: "the page says which service is meant, and that service usually takes no longer",
  },
  jobs: {
    text: "500+ jobs completed",
    condition: "more than 500 jobs from our leads were completed",
  },
  rating: {
    text: "4.9/5 average rating",
    condition: "the mean of all genuine reviews, the bad ones included, is 4.9 or more",
  },
  satisfaction: {
    text: "95% satisfaction rate",
    condition: "a survey of all customers from the last year says so, and its method is on file",
  },
  insured: {
    text: "Fully insured, background-checked providers",
    condition: "every provider that can buy a lead showed us cover and a check that are still valid",
  },
  sameDay: {
    text: "Same-day response",
    condition: "most requests get a call on the same day",
  },
  connected: {
    text: "Connected within 24 hours",
    condition: "nearly every request is bought by a provider, who calls, within 24 hours",
  },
  guarantee: {
    text: "100% satisfaction guarantee",
    condition: "providers really put a first job right at their own cost, or we find another provider",
  },
  guaranteeRefund: {
    text: "A refund of the first job, paid by us",
    condition: "we have the money to pay it, and do so within 14 days; shown only once an operator says so",
  },
  noHiddenFees: {
    text: "No hidden fees",
    condition: "customers pay us nothing, and providers quote the full price before they start",
  },
  experience: {
    text: "Over 15 years of experience",
    condition:
      "the people or businesses meant have 15 years in the trade; the page says whose years they are",
  },
  vetting: {
    text: "70% of provider applicants rejected",
    condition: "our own records of applications show it",
  },
  ratedProviders: {
    text: "Providers rated 4.5 stars and above",
    condition: "providers below 4.5 stars can no longer buy leads",
  },
  quickQuote: {
    text: "60-second quote request",
    condition: "most visitors finish the form within a minute",
  },
  locations: {
    text: "260+ locations",
    condition: "at least 260 suburbs are switched on and a provider buys leads in each of them",
  },
  slotsLeft: {
    text: "Only 3 slots left today in your area",
    condition: "the operator counts the slots of the visitor's area, and three is what is left today",
  },
  suburbRating: {
    text: `${SUBURB_RATING.ratingValue}/5 from ${SUBURB_RATING.reviewCount} reviews`,
    condition: "150 genuine reviews of work in that suburb have a mean of 4.8, and the page shows them",
  },
  winRate: {
    text: "80%+ win rate",
    condition: "providers marked at least 80% of the leads they bought as booked",
  },
  averageResponse: {
    text: "1-day average response",
    condition: "the mean time from a purchase to the first call is at most a day",
  },
  freshLeads: {
    text: "Fresh leads within 24 hours",
    condition: "a provider in a served region sees a new lead on most days",
  },
  fairPricing: {
    text: "Fair pricing from $30",
    condition: "at least one provider in the area really does small jobs for $30",
  },
  priceExamples: {
    text: "Price examples by size on the service pages",
    condition:
      "quotes that providers gave for jobs of each size were mostly close to the examples, which are the from-price times the factors in contract/catalogue.ts",
  },
  reviews: {
    text: "The three customer reviews",
    condition:
      "each is a customer's own words about work they paid for, and they agreed to be quoted; those here are samples, and invented testimonials are expressly forbidden (section 29(1)(e) and (f))",
  },
} as const satisfies Record<string, { text: string; condition: string }>;

export type ClaimId = keyof typeof CLAIMS;

/** An operator's decision about a claim, with its date. */
export type ClaimDecision = { shown: boolean; by: string; on: string };

const DECISIONS: Partial<Record<string, ClaimDecision>> = decisions;

/** Returns a claim's text, or null if an operator has hidden it. Undecided claims are shown. */
export function getClaimText(id: ClaimId): string | null {
  return DECISIONS[id]?.shown === false ? null : CLAIMS[id].text;
}

/** Returns whether an operator stands behind a claim. Undecided claims do not count. */
export function isPromised(id: ClaimId): boolean {
  return DECISIONS[id]?.shown === true;
}

/** A customer's review, their suburb, and the service pages that list it first. */
export type Review = {
  name: string;
  location: string;
  latitude: number;
  longitude: number;
  pages: readonly PageServiceId[];
  rating: number;
  text: string;
  service: string;
  timeframe: string;
};

/** Sample reviews. Replace them with genuine ones. The claim `reviews` decides whether the site shows them. */
export const REVIEWS: readonly Review[] = [
  {
    name: "Sarah Mitchell",
    location: "Parramatta",
    latitude: -33.81404,
    longitude: 151.00605,
    pages: ["lawn_mowing", "yard_cleanup"],
    rating: 5,
    text: "I had a call the same afternoon and the lawn was done by Thursday. Neat edges, clippings gone, and the price was the one I was quoted.",
    service: "Lawn mowing",
    timeframe: "Booked within 24 hours",
  },
  {
    name: "David Chen",
    location: "Castle Hill",
    latitude: -33.7333,
    longitude: 151,
    pages: ["hedge_trimming", "green_waste_removal"],
    rating: 5,
    text: "The hedges along our driveway had got away from us. One visit and they were straight again, with every branch taken away.",
    service: "Hedge trimming",
    timeframe: "Done the same week",
  },
  {
    name: "Emma Thompson",
    location: "Dee Why",
    latitude: -33.75242,
    longitude: 151.28899,
    pages: ["garden_cleanup"],
    rating: 5,
    text: "We rent the place out and live two hours away. Our provider comes each fortnight and sends photos, so it's one less thing to think about.",
    service: "Garden maintenance",
    timeframe: "Every fortnight",
  },
];
