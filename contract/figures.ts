import { DAY_MS } from "./durations.ts";

/** How long a lead gets to become a job before it counts against the win rate. */
export const WIN_RATE_AGE_MS = 14 * DAY_MS;

/** How many months the figures go back, this one included. */
export const FIGURE_MONTHS = 12;

/** What became of the leads of one month, or of all of them. Money is decimal text. */
export type Figures = {
  /** Leads bought on the market. */
  bought: number;
  /** What they cost. */
  spend: string;
  /** How many of them ever reached Booked or a later stage. */
  won: number;
  /** The share of those older than 14 days that did, from 0 to 1; null while none is that old. */
  winRate: number | null;
  /** What customers paid, for bought leads and those added by hand. */
  earned: string;
  /** Spend by won lead; null while none was won. */
  costPerWon: string | null;
};

export type MonthFigures = Figures & {
  /** Such as "2026-11". */
  month: string;
};
