/** Mutants of the guarantee, reviews, checks, photos and public figures. Each is one small change to the real source. */
import type { Mutant } from "./mutant.ts";

const CASES = "worker/pipeline/guarantee/queries.ts";
const CASE_COMMANDS = "worker/pipeline/guarantee/commands.ts";
const CASE_RULES = "worker/pipeline/guarantee/rules.ts";
const FREE_CLAIMS = "worker/selling/purchases/credit-commands.ts";
const REVIEWS = "worker/pipeline/reviews/commands.ts";
const REVIEW_QUERIES = "worker/pipeline/reviews/queries.ts";
const FIGURES = "worker/operations/public-figures/figure-queries.ts";
const PHOTOS = "worker/leads/photos/commands.ts";
const PHOTO_QUERIES = "worker/leads/photos/queries.ts";

export const GUARANTEE_MUTANTS: readonly Mutant[] = [
  {
    name: "rules give free claims for a quarter of the leads",
    file: CASES,
    find: "CAST(${bought} * ${FREE_CLAIM_CAP.share} AS INTEGER)",
    put: "CAST(${bought} * 0.25 AS INTEGER)",
  },
  {
    name: "the cap is rounded up",
    file: CASES,
    find: "CAST(${bought} * ${FREE_CLAIM_CAP.share} AS INTEGER)",
    put: "CAST(${bought} * ${FREE_CLAIM_CAP.share} + 0.9 AS INTEGER)",
  },
  {
    name: "the rules give a small business no free claim",
    file: CASES,
    find: "< max(1, CAST(",
    put: "< max(0, CAST(",
  },
  {
    name: "a revoked free claim counts towards the cap",
    file: CASES,
    find: "\n    AND earlier.revoked_at IS NULL AND earlier.created_at",
    put: "\n    AND earlier.created_at",
  },
  {
    name: "free claims of the last year count towards the cap",
    file: CASES,
    find: "AND earlier.created_at >= ${since})",
    put: ")",
  },
  {
    name: "calls within a day and a half are enough",
    file: CASES,
    find: "max(logged_at) - min(logged_at) >= ${NO_ANSWER_MS}",
    put: "max(logged_at) - min(logged_at) >= ${0.75 * NO_ANSWER_MS}",
  },
  {
    name: "calls on two days count by the times that the phone reports",
    file: CASES,
    find: "max(logged_at) - min(logged_at) >= ${NO_ANSWER_MS}",
    put: "max(at) - min(at) >= ${NO_ANSWER_MS}",
  },
  {
    name: "two calls are enough",
    file: CASES,
    find: "count(*) >= ${NO_ANSWER.calls}",
    put: "count(*) >= ${NO_ANSWER.calls - 1}",
  },
  {
    name: "a customer cannot contradict the calls",
    file: CASE_RULES,
    find: `const isContradicted = answer !== undefined && answer !== "never_asked" && answeredAt >= createdAt;`,
    put: `const isContradicted = false;`,
  },
  {
    name: "an earlier response contradicts the calls",
    file: CASE_RULES,
    find: `&& answer !== "never_asked" && answeredAt >= createdAt;`,
    put: `&& answer !== "never_asked";`,
  },
  {
    name: "a quote or a booking does not take a free claim back",
    file: CASE_RULES,
    find: `  if (facts.isQuoted) return false;\n`,
    put: ``,
  },
  {
    name: "a conversation takes a free claim back",
    file: CASE_RULES,
    find: `const isReached = facts.isReached && facts.state !== "granted";`,
    put: `const { isReached } = facts;`,
  },
  {
    name: "a free claim pays for a lead of any price",
    file: FREE_CLAIMS,
    find: "AND price_cents = coalesce((SELECT price_cents FROM leads WHERE id = ${leadId}), price_cents) ",
    put: "",
  },
  {
    name: "a revoked free claim can be spent",
    file: FREE_CLAIMS,
    find: "AND used_at IS NULL AND revoked_at IS NULL\n",
    put: "AND used_at IS NULL\n",
  },
  {
    name: "a free claim in use is never taken back",
    file: CASE_COMMANDS,
    find: "THEN ${now + RETRY_MS} END`",
    put: "THEN NULL END`",
  },
  {
    name: "a review link stays open after 60 days",
    file: REVIEWS,
    find: `endsAt: now + REVIEW_OPEN_DAYS * DAY_MS,`,
    put: `endsAt: now + (REVIEW_OPEN_DAYS + 1) * DAY_MS,`,
  },
  {
    name: "a provider reviews themselves with their own number",
    file: REVIEWS,
    find: `isSamePerson(customer, [purchase, ...contacts]) ||\n`,
    put: ``,
  },
  {
    name: "a provider reviews themselves in a browser that they signed in with",
    file: REVIEWS,
    find: ` || findKnownDevice(caller.device, user, now) !== null,`,
    put: `,`,
  },
  {
    name: "a review from the provider's network is not flagged",
    file: REVIEWS,
    find: `(await isBusinessNetwork(context, caller, people, now)) ? "network" : null`,
    put: `null`,
  },
  {
    name: "a review shows the customer's contact details",
    file: REVIEWS,
    find: `words: words ? redact(words, lead) : null,`,
    put: `words: words || null,`,
  },
  {
    name: "a reply shows the customer's surname",
    file: REVIEWS,
    find: `const shown = redact(reply, lead);`,
    put: `const shown = reply;`,
  },
  {
    name: "a reply contains a phone number",
    file: REVIEWS,
    find: `if (containsContact(reply)) {`,
    put: `if (false) {`,
  },
  {
    name: "a completed job asks for a review within a day of the sale",
    file: "worker/pipeline/purchases/commands.ts",
    find: "min(${leadPurchases.reviewDueAt}, max(${now}, ${leadPurchases.purchasedAt} + ${REVIEW_MIN_HOURS * HOUR_MS}))",
    put: "min(${leadPurchases.reviewDueAt}, ${now})",
  },
  {
    name: "a stage moves the question for a review back",
    file: "worker/pipeline/purchases/commands.ts",
    find: "sql`min(${leadPurchases.reviewDueAt}, max(${now}, ${leadPurchases.purchasedAt} + ${REVIEW_MIN_HOURS * HOUR_MS}))`",
    put: "sql`max(${now}, ${leadPurchases.purchasedAt} + ${REVIEW_MIN_HOURS * HOUR_MS})`",
  },
  {
    name: "unanswered calls avoid a review",
    file: "worker/leads/review-queries.ts",
    find: "guarantee_cases.rule = 'no_answer')`",
    put: "guarantee_cases.rule = 'never')`",
  },
  {
    name: "the mean of a business's reviews counts hidden ones",
    file: REVIEW_QUERIES,
    find: "avg(CASE WHEN ${reviews.hiddenRule} IS NULL THEN ${reviews.stars} END)",
    put: "avg(${reviews.stars})",
  },
  {
    name: "a public figure needs 21 records",
    file: FIGURES,
    find: "WHERE n >= ${FIGURE_MIN_RECORDS} AND",
    put: "WHERE n > ${FIGURE_MIN_RECORDS} AND",
  },
  {
    name: "a public figure needs 19 records",
    file: FIGURES,
    find: "WHERE n >= ${FIGURE_MIN_RECORDS} AND",
    put: "WHERE n >= ${FIGURE_MIN_RECORDS - 1} AND",
  },
  {
    name: "a public price needs 19 records",
    file: FIGURES,
    find: "HAVING n >= ${FIGURE_MIN_RECORDS} AND",
    put: "HAVING n >= ${FIGURE_MIN_RECORDS - 1} AND",
  },
  {
    name: "the public rate of free claims needs 21 sales",
    file: CASES,
    find: "row.n < FREE_CLAIM_RATE_MIN_SALES",
    put: "row.n <= FREE_CLAIM_RATE_MIN_SALES",
  },
  {
    name: "a photo of a job is public without the customer",
    file: PHOTO_QUERIES,
    find: `and(isNotNull(table.customerAgreedAt), isNotNull(table.providerAgreedAt))!`,
    put: `and(isNotNull(table.providerAgreedAt))!`,
  },
  {
    name: "a new offer needs no new agreement",
    file: PHOTOS,
    find: `const NOT_OFFERED = { providerAgreedAt: null, customerAgreedAt: null };`,
    put: `const NOT_OFFERED = { providerAgreedAt: null };`,
  },
  {
    name: "a check ends at the start of its last day",
    file: "worker/identity/checks/sweep-commands.ts",
    find: `and(isValid, lt(providerChecks.endsOn, sydneyDay(now)))`,
    put: `and(isValid, lte(providerChecks.endsOn, sydneyDay(now)))`,
  },
  {
    name: "a check ends at midnight in London",
    file: "worker/identity/checks/sweep-commands.ts",
    find: `and(isValid, lt(providerChecks.endsOn, sydneyDay(now)))`,
    put: `and(isValid, lt(providerChecks.endsOn, new Date(now).toISOString().slice(0, 10)))`,
  },
  {
    name: "photos at once exceed the maximum",
    file: PHOTOS,
    find: `.where(and(eq(photos.id, id), isLive, hasRoom))`,
    put: `.where(and(eq(photos.id, id), isLive))`,
  },
  {
    name: "a photo has any number of pixels",
    file: "worker/leads/photos/images.ts",
    find: `if (info.width * info.height > MAX_PIXELS)`,
    put: `if (false)`,
  },
  {
    name: "uploads of a form that is still open are deleted",
    file: PHOTOS,
    find: `listUnownedPhotos(db, now - UNOWNED_MS, SWEEP_BATCH)`,
    put: `listUnownedPhotos(db, now, SWEEP_BATCH)`,
  },
  {
    name: "uploads without a request are kept for a week",
    file: PHOTOS,
    find: `listUnownedPhotos(db, now - UNOWNED_MS, SWEEP_BATCH)`,
    put: `listUnownedPhotos(db, now - 7 * UNOWNED_MS, SWEEP_BATCH)`,
  },
];
