import type { PageServiceId } from "../../contract/catalogue.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { FigureKey, PublicFigure, PublicFigures } from "../../contract/public-figures.ts";
import { formatCallTime } from "../../contract/standing.ts";
import decisions from "../../data/claims.json" with { type: "json" };
import { formatDollars } from "../lib/format-money.ts";

/** The specification's rating, on suburbs' pages if the operator publishes it. */
const SUBURB_RATING = { ratingValue: 4.8, reviewCount: 150 };

type Figure = (figure: PublicFigure) => string;

/**
 * A marketing claim. `text` is the specification's. `condition` says when it would be true. `figure` names the figure
 * that replaces it in production and formats it. `isNew`: not in the specification, so there is no
 * sample of it.
 */
export type Claim = {
  text: string;
  condition: string;
  figure?: readonly [key: FigureKey | "price", format: Figure];
  isNew?: true;
};

const count = (n: number) => n.toLocaleString("en-AU");
const PERIOD = "in the last 12 months";

/** Rounds shares and means down, and times up: a figure must not say more than the records. */
const formatShare = (share: number) => `${Math.floor(share * 100 + 1e-9)}%`;
export const floorMean = (mean: number) => Math.floor(mean * 10 + 1e-9) / 10;
const partOf = ({ value, n }: PublicFigure) => {
  const part = Math.round(value * n);
  return part === n ? `All ${count(n)} providers` : `${count(part)} of the ${count(n)} providers`;
};

/** Rounds a time up: to ten minutes, above a day to hours, and above two days to days. */
export function formatFigureTime(ms: number): string {
  if (ms > 2 * DAY_MS) return `${Math.ceil(ms / DAY_MS)} days`;
  const step = ms > DAY_MS ? HOUR_MS : 10 * MINUTE_MS;
  return formatCallTime(Math.ceil(ms / step) * step);
}

const formatCeiling = (cents: number) => formatDollars(Math.ceil(cents / 100));

/** Formats a median price, such as "$65 or less for half of 34 jobs in the last 12 months". */
export const formatJobPrice: Figure = ({ value, n }) =>
  `${formatCeiling(value)} or less for half of ${count(n)} jobs ${PERIOD}`;

/** Where the prices come from. */
export const PRICE_SOURCE =
  "Prices that customers agreed to, as providers recorded them. Each figure covers at least 20 jobs by at least 5 providers.";

/**
 * All marketing claims on the site. Each needs records or an operator who can stand behind it.
 *
 * Australian Consumer Law (Schedule 2 of the Competition and Consumer Act 2010, sections 18, 29 and 34) forbids
 * misleading claims, no matter who wrote them. `npm run operate -- claims` lists the claims and records each decision
 * in data/claims.json. Without a decision, a claim without a figure is not shown. Confirm such a claim only while
 * you can prove its `condition`, and review it every quarter.
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
    figure: ["jobs", ({ n }) => `${count(n)} jobs completed ${PERIOD}`],
  },
  rating: {
    text: "4.9/5 average rating",
    condition: "the mean of all genuine reviews, the bad ones included, is 4.9 or more",
    figure: [
      "rating",
      ({ value, n }) => `${floorMean(value).toFixed(1)}/5 from ${count(n)} reviews ${PERIOD}`,
    ],
  },
  satisfaction: {
    text: "95% satisfaction rate",
    condition: "a survey of all customers from the last year says so, and its method is on file",
    figure: [
      "satisfaction",
      ({ value, n }) => `${formatShare(value)} of ${count(n)} reviews ${PERIOD} give 4 or 5 stars`,
    ],
  },
  insured: {
    text: "Fully insured, background-checked providers",
    condition: "every provider that can buy a lead showed us cover and a check that are still valid",
    figure: [
      "insured",
      (figure) =>
        `${partOf(figure)} who took jobs ${PERIOD} have shown us valid insurance and a police check`,
    ],
  },
  sameDay: {
    text: "Same-day response",
    condition: "most requests get a call on the same day",
    figure: [
      "customerCalled",
      ({ value, n }) =>
        `Half of ${count(n)} customers ${PERIOD} were called within ${formatFigureTime(value)}`,
    ],
  },
  connected: {
    text: "Connected within 24 hours",
    condition: "nearly every request is bought by a provider, who calls, within 24 hours",
    figure: [
      "connected",
      ({ value, n }) =>
        `${formatShare(value)} of ${count(n)} requests ${PERIOD} found a provider within 24 hours`,
    ],
  },
  guarantee: {
    text: "100% satisfaction guarantee",
    condition: "providers really put a first job right at their own cost, or we find another provider",
  },
  guaranteeRefund: {
    text: "A refund of the first job, paid by us",
    condition: "we have the money to pay it, and do so within 14 days; shown only once an operator says so",
    isNew: true,
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
    figure: ["ratedProviders", (figure) => `${partOf(figure)} reviewed ${PERIOD} have 4.5 stars or more`],
  },
  quickQuote: {
    text: "60-second quote request",
    condition: "most visitors finish the form within a minute",
  },
  locations: {
    text: "260+ locations",
    condition: "at least 260 suburbs are switched on and a provider buys leads in each of them",
    figure: ["locations", ({ n }) => `Providers took jobs in ${count(n)} suburbs ${PERIOD}`],
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
    figure: [
      "winRate",
      ({ value, n }) => `${formatShare(value)} of ${count(n)} leads taken ${PERIOD} became booked jobs`,
    ],
  },
  averageResponse: {
    text: "1-day average response",
    condition: "the mean time from a purchase to the first call is at most a day",
    figure: [
      "timeToCall",
      ({ value, n }) =>
        `${formatFigureTime(value)} median time to the first call, for ${count(n)} leads taken ${PERIOD}`,
    ],
  },
  freshLeads: {
    text: "Fresh leads within 24 hours",
    condition: "a provider in a served region sees a new lead on most days",
    figure: ["leads", ({ n }) => `${count(n)} new leads ${PERIOD}`],
  },
  fairPricing: {
    text: "Fair pricing from $30",
    condition: "at least one provider in the area really does small jobs for $30",
    figure: [
      "lowPrice",
      ({ value, n }) => `1 in 10 of ${count(n)} jobs ${PERIOD} cost ${formatCeiling(value)} or less`,
    ],
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
  highlights: {
    text: "Quick service, qualified providers, same day service, competitive and fair pricing",
    condition:
      "providers usually come quickly and on the same day, every provider has shown a qualification, and prices are lower than those of competitors",
  },
  sevenDays: {
    text: "7 days a week",
    condition: "a customer in most suburbs finds a provider who works on a weekend",
  },
  durations: {
    text: "How long a visit takes, on the service and suburb pages",
    condition: "most visits of each service took no longer than the page says",
  },
  foundWithin: {
    text: "95 of 100 requests found a provider within the time shown",
    condition: "the records show it: at least 95 of 100 requests found a provider at all",
    figure: [
      "foundWithin",
      ({ value, n }) =>
        `95 of 100 requests found a provider within ${formatFigureTime(value)} (${count(n)} requests ${PERIOD})`,
    ],
    isNew: true,
  },
  jobPrices: {
    text: "The price of half of the booked jobs, by service and council",
    condition: "the records show it: twenty jobs of five businesses for each price",
    figure: ["price", formatJobPrice],
    isNew: true,
  },
} as const satisfies Record<string, Claim>;

export type ClaimId = keyof typeof CLAIMS;
export const CLAIM_IDS = Object.keys(CLAIMS) as ClaimId[];

/** An operator's decision about a claim, with its date. */
export type ClaimDecision = { shown: boolean; by: string; on: string };
export type ClaimDecisions = Partial<Record<ClaimId, ClaimDecision>>;

/** The text to show for each claim; null for none. */
export type Claims = Readonly<Record<ClaimId, string | null>>;

const DECISIONS: ClaimDecisions = decisions;

/** A decision counts only if it has a name and a date. */
export function isDecided(decision: ClaimDecision | undefined): decision is ClaimDecision {
  return (
    typeof decision?.shown === "boolean" &&
    /\S/.test(decision.by ?? "") &&
    /^\d{4}-\d\d-\d\d$/.test(decision.on ?? "")
  );
}

function resolveClaim(
  id: ClaimId,
  figures: PublicFigures,
  decision: ClaimDecision | undefined,
): string | null {
  const { figure, text }: Claim = CLAIMS[id];
  if (!figure) return decision?.shown ? text : null;
  const [key, format] = figure;
  // Each page reads its own prices.
  if (key === "price") return text;
  const found = figures[key];
  return found ? format(found) : null;
}

/**
 * Returns the text to show for each claim. A hidden claim is not shown. A claim with a figure says the figure, if there
 * is one. Any other claim needs an operator who confirmed it.
 *
 * @param showsSamples local only: shows the specification's claims, whether they are true or not
 */
export function resolveClaims(
  figures: PublicFigures,
  showsSamples: boolean,
  decided: ClaimDecisions = DECISIONS,
): Claims {
  const texts = CLAIM_IDS.map((id) => {
    const claim: Claim = CLAIMS[id];
    const decision = isDecided(decided[id]) ? decided[id] : undefined;
    if (decision?.shown === false) return [id, null];
    const isSample = showsSamples && !claim.isNew;
    return [id, isSample ? claim.text : resolveClaim(id, figures, decision)];
  });
  return Object.fromEntries(texts) as Claims;
}

/** Returns whether the pages make this claim in the words of the specification. */
export function isAsSpecified(claims: Claims, id: ClaimId): boolean {
  return claims[id] === CLAIMS[id].text;
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
