/**
 * Every page for visitors, with its facts. The routes, the edge cache, the sitemap and the redirect of signed-in providers
 * read this table, and so do the tests that look at every page.
 */

type VisitorPage = {
  /** The module, below `web/`. */
  file: string;
  /** `site` has our header and footer. `form` is for a page with a single form. */
  layout: "site" | "form";
  /** The route's id, if two routes share a module. */
  id?: string;
  /**
   * `visitors`: a signed-in provider gets the dashboard instead. `everyone`: providers may read it too. `person`: behind a
   * link or a session, no matter who is signed in.
   */
  audience: "visitors" | "everyone" | "person";
  /** Whether search engines may index the page. The sitemap lists it, with its day if web/site/page-dates.ts has one. */
  isIndexed?: true;
  /** Query parameters that change the response. Without them, all visitors share it. Pages without a list are not shared. */
  cache?: readonly string[];
  /**
   * What the page says about us: claims of web/site/claims.ts, and statements of testing/page-claims.ts. Start with
   * `...FOOTER` for `layout: "site"`. `e2e/claims.test.ts` prints what is missing.
   */
  claims?: readonly string[];
};

/** The statements of our footer, and that asking is free. */
const FOOTER = ["contact", "legalEntity", "free", "sources"] as const;

/** By route pattern. */
export const VISITOR_PAGES = {
  "/": {
    file: "home/home-page.tsx",
    layout: "site",
    audience: "visitors",
    isIndexed: true,
    cache: [],
    claims: [
      ...FOOTER,
      "headline",
      "jobs",
      "rating",
      "satisfaction",
      "insured",
      "sameDay",
      "guarantee",
      "guaranteeRefund",
      "noHiddenFees",
      "experience",
      "vetting",
      "ratedProviders",
      "quickQuote",
      "slotsLeft",
      "fairPricing",
      "reviews",
      "highlights",
      "sevenDays",
      "foundWithin",
      "officeHours",
      "fromPrices",
      "oneProvider",
      "places",
    ],
  },
  "/locations": {
    file: "suburbs/locations-page.tsx",
    layout: "site",
    audience: "visitors",
    isIndexed: true,
    cache: ["search", "state", "council", "view", "map"],
    claims: [...FOOTER, "locations", "places"],
  },
  "/location/:suburb": {
    file: "suburbs/suburb-page.tsx",
    layout: "site",
    audience: "visitors",
    isIndexed: true,
    cache: [],
    claims: [
      ...FOOTER,
      "quickService",
      "insured",
      "sameDay",
      "connected",
      "experience",
      "ratedProviders",
      "quickQuote",
      "suburbRating",
      "priceExamples",
      "reviews",
      "highlights",
      "durations",
      "jobPrices",
      "officeHours",
      "fromPrices",
      "oneProvider",
      "localProviders",
      "places",
      "lawns",
    ],
  },
  "/services": {
    file: "service-pages/services-page.tsx",
    layout: "site",
    audience: "visitors",
    isIndexed: true,
    cache: [],
    claims: [
      ...FOOTER,
      "insured",
      "sameDay",
      "guarantee",
      "noHiddenFees",
      "priceExamples",
      "highlights",
      "durations",
      "fromPrices",
      "oneProvider",
      "idioms",
    ],
  },
  "/service/:service": {
    file: "service-pages/service-page.tsx",
    layout: "site",
    audience: "visitors",
    isIndexed: true,
    cache: [],
    claims: [
      ...FOOTER,
      "rating",
      "insured",
      "sameDay",
      "guarantee",
      "noHiddenFees",
      "priceExamples",
      "reviews",
      "durations",
      "jobPrices",
      "fromPrices",
      "advice",
    ],
  },
  "/how-it-works": {
    file: "site/how-it-works-page.tsx",
    layout: "site",
    audience: "everyone",
    isIndexed: true,
    cache: [],
    claims: [...FOOTER, "guarantee", "guaranteeRefund", "costs"],
  },
  "/providers": {
    file: "site/providers-page.tsx",
    layout: "site",
    audience: "visitors",
    isIndexed: true,
    cache: [],
    claims: [...FOOTER, "winRate", "averageResponse", "freshLeads", "leadPrice", "freeClaims"],
  },
  "/provider/:slug": {
    file: "provider-profiles/profile-page.tsx",
    layout: "site",
    audience: "everyone",
    isIndexed: true,
    claims: ["profile"],
  },
  "/reviews": {
    file: "reviews/how-reviews-work-page.tsx",
    layout: "site",
    audience: "everyone",
    isIndexed: true,
    cache: [],
    claims: ["reviewRules"],
  },
  "/privacy-policy": {
    file: "site/privacy-page.tsx",
    layout: "site",
    audience: "everyone",
    isIndexed: true,
    cache: [],
    claims: ["policy"],
  },
  "/terms-conditions": {
    file: "site/terms-page.tsx",
    layout: "site",
    audience: "everyone",
    isIndexed: true,
    cache: [],
    claims: ["guarantee", "guaranteeRefund", "policy"],
  },
  "/success": {
    file: "quotes/success-page.tsx",
    layout: "site",
    audience: "visitors",
    cache: ["for"],
    claims: [...FOOTER, "connected"],
  },
  "/get-quote": {
    file: "quotes/get-quote-page.tsx",
    layout: "form",
    audience: "visitors",
    isIndexed: true,
    cache: ["address", "service"],
    claims: ["contact", "free", "oneProvider", "forms"],
  },
  "/provider-signup": {
    file: "auth/signup-page.tsx",
    layout: "form",
    id: "provider-signup",
    audience: "visitors",
    claims: ["leadPrice", "forms"],
  },
  "/signup": {
    file: "auth/signup-page.tsx",
    layout: "form",
    id: "signup",
    audience: "visitors",
    claims: ["leadPrice", "forms"],
  },
  "/login": { file: "auth/login-page.tsx", layout: "form", audience: "visitors" },
  "/login/passkey": { file: "passkeys/passkey-page.tsx", layout: "form", audience: "person" },
  "/forgot-password": {
    file: "auth/forgot-password-page.tsx",
    layout: "form",
    audience: "visitors",
    claims: ["contact", "forms"],
  },
  "/reset-password/:token": { file: "auth/reset-password-page.tsx", layout: "form", audience: "person" },
  "/confirm-email/:token": { file: "auth/confirm-email-page.tsx", layout: "form", audience: "person" },
  "/request/:token": { file: "requests/request-page.tsx", layout: "form", audience: "person" },
  "/request/:token/change": { file: "requests/change-page.tsx", layout: "form", audience: "person" },
  "/review/:token": { file: "reviews/review-page.tsx", layout: "form", audience: "person" },
  "/my-requests": {
    file: "requests/my-requests-page.tsx",
    layout: "form",
    audience: "everyone",
    claims: ["contact"],
  },
  "/my-requests/:token": { file: "requests/open-requests-page.tsx", layout: "form", audience: "person" },
  "/stop-emails/:token": { file: "site/stop-emails-page.tsx", layout: "form", audience: "person" },
  "/choose-password": { file: "auth/choose-password-page.tsx", layout: "form", audience: "person" },
} as const satisfies Readonly<Record<string, VisitorPage>>;

export type PagePattern = keyof typeof VISITOR_PAGES;

export const PAGE_LIST = Object.entries(VISITOR_PAGES).map(([pattern, page]) => ({
  pattern: pattern as PagePattern,
  ...(page as VisitorPage),
}));

/**
 * Returns an expression for the paths of a pattern.
 * @param parameter matches a part such as `:token`
 */
export const pathsOf = (pattern: PagePattern, parameter: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/:\w+/g, parameter)}$`);
