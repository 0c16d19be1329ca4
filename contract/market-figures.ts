/** How many weeks the market's figures go back on the admins' page, this one included. */
export const MARKET_WEEKS = 12;

/** How many weeks the files go back. */
export const MARKET_FILE_WEEKS = 53;

/** Over how many days, today included, a region's trade is looked at. */
export const REGION_DAYS = 28;

/** A provider nobody has seen for so many days is silent; one who came since is new. */
export const SILENT_DAYS = 30;

/** What happened on one day in Sydney, or in a week. Money is decimal text. */
export type MarketCounts = {
  /** Requests that came in, those kept off the market included; what providers add by hand is not. */
  leads: number;
  /** How many of them looked suspicious and were kept for a person to decide. */
  suspicious: number;
  /** Leads that were paid for. */
  sold: number;
  /** Leads that admins took or gave away free of charge, and free claims. */
  given: number;
  revenue: string;
  refunds: string;
  /** Reports of leads that led nowhere. */
  duds: number;
};

/** `day` is its first day, such as "2026-11-22". */
export type MarketPeriod = MarketCounts & { day: string };

/** From the first look to the job, in order. The last four are of the requests of that day, as they stand by now. */
export const FUNNEL_STEPS = ["pages", "forms", "sent", "sold", "called", "booked"] as const;
export type FunnelStep = (typeof FUNNEL_STEPS)[number];

/** How far visitors of one day came. `pages`: opened by people's browsers; `forms`: touched. */
export type FunnelDay = { day: string } & Record<FunnelStep, number>;

/** A region's trade over the last 28 days. */
export type RegionFigures = {
  region: string;
  /** Requests that reached the market. */
  listed: number;
  /** How many of those somebody has. */
  taken: number;
  /** Their share, from 0 to 1; null while none was listed. */
  sellThrough: number | null;
  /** Half of the leads that were paid for went faster than this, from the request to the sale; null without sales. */
  medianSaleMs: number | null;
  /** On the market now. */
  open: number;
};

/** Leads on the market by how old they are. `upToHours` is null for all that are older. */
export type UnsoldAge = { upToHours: number | null; leads: number };

/** Providers as they stand, admins left out. */
export type ProviderFigures = {
  /** Accounts that may sign in. */
  total: number;
  /** Of those, made in the last 30 days. */
  fresh: number;
  /** Of those, seen in the last 30 days: somebody of theirs was signed in, or they got a lead. */
  active: number;
  silent: number;
};

/** What `GET /api/super-admin/market` answers. */
export type MarketFigures = {
  /** When today was last counted, epoch ms; null before the first time. */
  countedAt: number | null;
  /** Oldest first, whole weeks from a Monday on, the last day is today. */
  days: MarketPeriod[];
  /** From Monday to Sunday; the last one is still going on. */
  weeks: MarketPeriod[];
  /** The same days as in `days`. */
  funnel: FunnelDay[];
  regions: RegionFigures[];
  unsold: UnsoldAge[];
  /** Providers who stopped buying or calling, as `GET /api/users/providers?only=stopped` lists them. */
  stopped: number;
  /** Null before they were first counted. */
  providers: ProviderFigures | null;
};

/** The tables that can be had as a file. */
export const MARKET_FILES = ["days", "weeks", "funnel", "regions", "unsold", "providers"] as const;
export type MarketFile = (typeof MARKET_FILES)[number];
