/**
 * Every claim on every public page. A claim is a number or a word of promise about us or our providers. Each one is in
 * CLAIMS, with an operator's decision or a figure, or in STATEMENTS below, with its source. `e2e/claims.test.ts` reads
 * the pages and fails if a claim is in neither list, or on a page that its list does not name.
 */
import { CUSTOMER_GUARANTEE, RULE_TEXTS } from "../contract/guarantee.ts";
import { type PagePattern, VISITOR_PAGES } from "../contract/visitor-pages.ts";
import type { PublicFigure } from "../contract/public-figures.ts";
import type { PublicPage } from "./routes/pages.ts";
import { priceExamples, SERVICE_LIST } from "../web/services/services.ts";
import { type Claim, CLAIM_IDS, type ClaimId, CLAIMS, REVIEWS } from "../web/site/claims.ts";

/** A statement that is true because of how the product works, with the place that makes it true. */
export type Statement = { says: readonly RegExp[]; source: string };

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Matches one of these texts. */
const anyOf = (texts: readonly string[]) => new RegExp(texts.map(escapePattern).join("|"), "g");

const ADVICE = SERVICE_LIST.flatMap(({ questions }) =>
  questions.flatMap(({ question, answer }) => [question, answer]),
);

export const STATEMENTS = {
  policy: {
    says: [/^.*$/g],
    source: "the terms and the privacy policy themselves; docs/security.md says how the product keeps them",
  },
  contact: {
    says: [/1800 975 711/g, /hello@naturestrip\.example/g],
    source: "the operator's settings CONTACT_PHONE and CONTACT_EMAIL in wrangler.toml",
  },
  legalEntity: {
    says: [/Example Lawns Pty Ltd, ABN 00 000 000 000, PO Box 0, Exampleville NSW 2000/g],
    source: "the operator's settings BUSINESS_NAME, BUSINESS_ABN and BUSINESS_ADDRESS in wrangler.toml",
  },
  costs: {
    says: [
      /Asking is free, and we never charge you\./g,
      /Your provider, never us\. The provider usually pays us for your request: \$\d+, or \$\d+ if we had to pass it on\./g,
      /A provider who takes your request has \d+ hours to call, or \d+ if it’s urgent\. Evenings and nights, from 8 pm to 7 am, and public holidays don’t count/g,
      /Suburb pages list up to three providers .*/g,
      /We do: their ABN, their insurance and a police check, once they send us proof\. Your request’s page says what we’ve checked about your provider/g,
    ],
    source:
      "contract/money.ts, contract/call-clock.ts, worker/pipeline/profiles/rules.ts and docs/decisions/0043-checks.md; no route takes money from a customer",
  },
  officeHours: {
    says: [
      /Mon(?:day)?(?: to |-)Fri(?:day)? 8:00 AM-5:00 PM, Saturday 8:00 AM-[24]:00 PM, Sunday (?:by appointment|closed)/g,
    ],
    source:
      "the operator's office hours, as in the specification; a suburb's own hours are on the admins' page",
  },
  fromPrices: {
    says: [/(?:Starting |Prices start )?from \$\d+/gi],
    source: "the operator's prices: contract/catalogue.ts, and the suburb's price on the admins' page",
  },
  free: {
    says: [
      /\bfree quote\b/gi,
      /free and with no obligation|Free, with no obligation/g,
      /You pay your provider, never us/g,
    ],
    source: "no route takes money from a customer: contract/payments.ts is for providers",
  },
  oneProvider: {
    says: [
      /One provider calls\. Not five\./g,
      /Tell us once\. Get one free quote\./g,
      /Only the provider who takes your request\./g,
      /One provider at a time gets your request and your number\. Not a crowd\./g,
      /One call, not five/g,
      /Your details go to one provider at a time, not to a crowd\./g,
    ],
    source: "docs/decisions/0001-the-exchange-decides.md: the exchange sells a request once",
  },
  leadPrice: {
    says: [
      /\$50 per lead, fixed|\$50, fixed|a fixed \$50|\$50 Each|One fixed price of \$50 a lead|\$50, once/g,
      /(?:is |each )?sold to only one provider|Every lead goes to one provider only|One lead, one provider/gi,
      /a fixed price of \$50/g,
      /Only one/g,
      /Join (?:Now - )?Free|It costs nothing\./gi,
      /You have \d+ hours to call, .* for \$\s?\d+\./g,
    ],
    source:
      "contract/money.ts, contract/call-clock.ts, docs/decisions/0001-the-exchange-decides.md and docs/decisions/0038-rescues.md",
  },
  reviewRules: {
    says: [/^.*$/g],
    source: "the rules themselves: contract/reviews.ts, and worker/pipeline/reviews/commands.ts keeps them",
  },
  profile: {
    says: [/^.*$/g],
    source:
      "the business's own words, and records about it with their number: checks, reviews and calls (worker/pipeline/profiles/queries.ts)",
  },
  localProviders: {
    says: [
      /^We’ve checked: .*/g,
      /^Based in .*/g,
      /^Called \d+ of \d+ customers in time$/g,
      /^\d\.\d out of 5 from (one review|\d+ reviews)$/g,
    ],
    source:
      "the records of each business with a page: its checks and reviews, and the calls of contract/standing.ts",
  },
  freeClaims: {
    says: [
      anyOf(Object.values(RULE_TEXTS)),
      /In the last 12 months, providers bought [\d,]+ leads\. We gave [\d,]+ free claims? for them\./g,
      /^.*\bfree claims?\b.*$/gi,
    ],
    source: "contract/guarantee.ts, and the cases of worker/pipeline/guarantee/queries.ts, from 20 sales on",
  },
  places: {
    says: [
      /\b2\d{3}\b/g,
      /\b\d+ matching locations?/g,
      /\d[\d.]* km\b/g,
      /\d[\d,]*(?= people)/g,
      /^Yes, all of NSW.*$/g,
      /\([\d,]+\)/g,
      /2021 Census/g,
      /Fairfield City Council|Fairfield(?: \w+)?|Fairy Meadow/g,
    ],
    source: "the suburbs table, from the files in data/ATTRIBUTION.md",
  },
  sources: {
    says: [/Suburb names and postcodes © State of New South Wales .*/g],
    source: "the licences in data/ATTRIBUTION.md, and our own drawings",
  },
  idioms: {
    says: [/From a quick mow to a full jungle\./g],
    source: "a figure of speech about the size of the job",
  },
  lawns: {
    says: [
      /^.*(?:National Construction Code|nights? a year|mm a(?:n average)? week|mm in an average week|times a year|mm of rain).*$/g,
      /Buffalo, couch and kikuyu\. .*/g,
      /Tall fescue and Kentucky bluegrass\. .*/g,
      /^Sources: .*$/g,
    ],
    source: "data/ATTRIBUTION.md, by the rules in web/suburbs/local-climate.ts",
  },
  advice: {
    says: [anyOf(ADVICE)],
    source: "gardening advice in web/services/, not about our providers",
  },
  forms: {
    says: [
      /Step \d of \d/g,
      /\((?:under|over) \d+m²\)|\(\d+-\d+m²\)/g,
      /within 2 days/g,
      /Minimum \d+ characters/g,
      /up to 24 hours/g,
    ],
    source: "the form itself, and the checks in contract/",
  },
} satisfies Readonly<Record<string, Statement>>;
export type StatementId = keyof typeof STATEMENTS;
export const STATEMENT_IDS = Object.keys(STATEMENTS) as StatementId[];

/** The compiler refuses an ID that no list has. */
const PAGES: Readonly<Record<PagePattern, { file: string; claims?: readonly (ClaimId | StatementId)[] }>> =
  VISITOR_PAGES;

/** Returns whether a page makes a claim or a statement, by contract/visitor-pages.ts. */
export const isClaimOf = (page: PublicPage, id: ClaimId | StatementId): boolean =>
  PAGES[page].claims?.includes(id) === true;

/** Other words in which the pages make a claim. */
const OTHER_WORDS: Partial<Record<ClaimId, readonly RegExp[]>> = {
  connected: [/connect you (?:with a provider )?within 24 hours/g],
  guarantee: [anyOf([CUSTOMER_GUARANTEE.promise]), /Satisfaction guarantee:/g],
  guaranteeRefund: [anyOf([CUSTOMER_GUARANTEE.refund])],
  quickQuote: [/It takes about a minute\./g],
  insured: [/Fully Insured|Insurance and police checks/g],
  experience: [/Experienced Team/g],
  ratedProviders: [/5-Star Reviews|Rated by customers/g],
  averageResponse: [/1 day average response/g],
  fairPricing: [/Fair pricing From \$30/g],
  highlights: [
    /Quick (?:Service|response|answers)|Qualified providers|Same Day Service|Competitive Pricing|Fair pricing/gi,
  ],
  durations: [
    /A visit usually takes [\d-]+ (?:minutes|hours)\./g,
    /A mowing visit typically takes 30-60 minutes\./g,
    /^[\d-]+ (?:minutes|hours)$/g,
  ],
  jobPrices: [/Prices that customers agreed to, as providers recorded them\..*/g],
  priceExamples: [
    /\$\d+ to \$\d+$/g,
    /\((?:under|over) \d+m²\)|\(\d+-\d+m²\)/g,
    /Mowing by block size/g,
    /^(?:(?:under|over) \d+|\d+-\d+)m² \$\d+$/g,
    anyOf(SERVICE_LIST.flatMap((service) => priceExamples(service).map(({ job }) => job))),
    /^\$\d+$/g,
  ],
  reviews: [
    /[1-5] out of 5 stars/g,
    anyOf(REVIEWS.flatMap(({ text, timeframe, name }) => [text, timeframe, name])),
  ],
};

/** Figures that make a claim's text take each of its forms: with other units, and with all or a part of the records. */
const FORMS: readonly PublicFigure[] = [3_000_000, 9_000_000, 100_000_000, 300_000_000, 1, 0.5].map(
  (value) => ({
    value,
    n: 1_234,
    businesses: 5,
    fromDay: "",
    toDay: "",
  }),
);

/** Returns the patterns of a claim: its text, its figure with any numbers, and its other words. */
function patternsOf(id: ClaimId): RegExp[] {
  const { text, figure }: Claim = CLAIMS[id];
  const anyNumbers = (form: PublicFigure) =>
    figure![1](form)
      .split(/\d[\d,.]*/)
      .map(escapePattern)
      .join("\\d[\\d,.]*");
  const computed = figure ? FORMS.map(anyNumbers) : [];
  const sources = [...new Set([escapePattern(text), ...computed])];
  return [...sources.map((source) => new RegExp(source, "g")), ...(OTHER_WORDS[id] ?? [])];
}

/** A number, or a word of promise. */
const CLAIM_WORDS =
  /\d|%|guarantee|insur|background|verified|\bchecked\b|vetted|licen[sc]ed|\brat(?:ed|ing)|\bstars?\b|satisf|trusted|\bbest\b|cheap|fast|leading|experienc|qualif|award|same.day|hidden fee|refund|competitive|\bfair\b|quick|\bfree\b|only one|\breject|\bhalf\b|\bmost (?:customers|providers|people)\b|never us|not five|\bminutes?\b/i;

/** Numbers of list items and steps, and addresses in metadata. */
const NOT_A_CLAIM = /^(?:\d|1200|630|404|https?:\S+)$/;

/**
 * Finds the claims in a page's text blocks.
 *
 * @returns the ids of the claims and statements, and the blocks with a claim that no list has
 */
export function findPageClaims(
  page: PublicPage,
  blocks: readonly string[],
): { claims: ClaimId[]; statements: StatementId[]; unlisted: string[] } {
  const claims = new Set<ClaimId>();
  const statements = new Set<StatementId>();
  const unlisted: string[] = [];
  for (const block of blocks) {
    if (NOT_A_CLAIM.test(block)) continue;
    let rest = block;
    const strip = (patterns: readonly RegExp[]) => {
      const before = rest;
      for (const pattern of patterns) rest = rest.replaceAll(pattern, " ").trim();
      return rest !== before;
    };
    for (const id of CLAIM_IDS) if (isClaimOf(page, id) && strip(patternsOf(id))) claims.add(id);
    if (!CLAIM_WORDS.test(rest)) continue;
    for (const id of STATEMENT_IDS) if (isClaimOf(page, id) && strip(STATEMENTS[id].says)) statements.add(id);
    if (CLAIM_WORDS.test(rest)) unlisted.push(block);
  }
  return { claims: [...claims], statements: [...statements], unlisted };
}
