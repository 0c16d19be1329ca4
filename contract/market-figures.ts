/** Weeks of market figures on the admins' page, including this one. */
export const MARKET_WEEKS = 12;

/** Weeks of figures in the files. */
export const MARKET_FILE_WEEKS = 53;

/** Days in a region's figures, including today. */
export const REGION_FIGURE_DAYS = 28;

/** A provider who was inactive for this many days is silent. A provider who joined within them is new. */
export const INACTIVE_AFTER_DAYS = 30;

/** Totals of one day in Sydney, or of a week. Money is decimal text. */
export type MarketCounts = {
  /** Requests received, including quarantined ones. Excludes manual leads. */
  leads: number;
  /** Requests quarantined as suspicious. */
  suspicious: number;
  /** Paid leads. */
  sold: number;
  /** Leads that admins claimed or assigned free of charge, and free claims. */
  given: number;
  revenue: string;
  refunds: string;
  /** Bad-lead reports. */
  badLeads: number;
};

/** `day` is the first day of the period, such as "2026-11-22". */
export type MarketPeriod = MarketCounts & { day: string };

/**
 * Funnel steps in order, from the first page view to the job. The last four count that day's requests by their current
 * state.
 */
export const FUNNEL_STEPS = ["pages", "forms", "sent", "sold", "called", "booked"] as const;
export type FunnelStep = (typeof FUNNEL_STEPS)[number];

/** Counts for each step on one day. `pages`: page views by real browsers. `forms`: forms that a visitor started. */
export type FunnelDay = { day: string } & Record<FunnelStep, number>;

/** A region's figures for the last 28 days. */
export type RegionFigures = {
  region: string;
  /** Requests listed on the market. */
  listed: number;
  /** Listed requests that have since been sold or assigned. */
  taken: number;
  /** `taken` divided by `listed`, from 0 to 1; null when no request was listed. */
  sellThrough: number | null;
  /** Median time from the request to the sale, for paid leads; null if there are no sales. */
  medianSaleMs: number | null;
  /** Requests on the market now. */
  open: number;
};

/** Leads on the market by age. `upToHours` is null for the oldest group. */
export type UnsoldAge = { upToHours: number | null; leads: number };

/** Current provider counts, excluding admins. */
export type ProviderFigures = {
  /** Accounts that may sign in. */
  total: number;
  /** Accounts created in the last 30 days. */
  fresh: number;
  /** Accounts active in the last 30 days: a user of the business was signed in, or it got a lead. */
  active: number;
  silent: number;
};

/**
 * Steps from the request to the job, for the requests of one week in their current state. `in_time`, `late` and
 * `rescued` are the call clock's results (contract/standing.ts). If a rescued lead is booked, its request is too.
 */
export const CALL_STEPS = ["requests", "sold", "in_time", "late", "rescued", "booked"] as const;
export type CallStep = (typeof CALL_STEPS)[number];

/** A region's requests of one week, by step. `week` is its Monday. Response of `GET /api/super-admin/market/calls`. */
export type CallWeek = { week: string; region: string } & Record<CallStep, number>;

/** Response of `GET /api/super-admin/market`. */
export type MarketFigures = {
  /** Time of the last count, epoch ms; null before the first count. */
  countedAt: number | null;
  /** Oldest first, starting on a Monday. The last day is today. */
  days: MarketPeriod[];
  /** Each week runs from Monday to Sunday. The last week is incomplete. */
  weeks: MarketPeriod[];
  /** The same days as in `days`. */
  funnel: FunnelDay[];
  regions: RegionFigures[];
  unsold: UnsoldAge[];
  /** Number of providers who stopped buying or calling, as in `GET /api/users/providers?only=stopped`. */
  stopped: number;
  /** Null before the first count. */
  providers: ProviderFigures | null;
};

/** Tables that admins can download as a file. */
export const MARKET_FILES = ["days", "weeks", "funnel", "calls", "regions", "unsold", "providers"] as const;
export type MarketFile = (typeof MARKET_FILES)[number];
