import { DAY_MS } from "./durations.ts";

/** Leads younger than this do not count in the win rate. */
export const WIN_RATE_AGE_MS = 14 * DAY_MS;

/** Months in the figures, including this one. */
export const FIGURE_MONTHS = 12;

/** Results for the leads of one month, or of all months. Money is decimal text. */
export type Figures = {
  /** Leads bought on the market. */
  bought: number;
  /** Total price of the bought leads. */
  spend: string;
  /** Bought leads that ever reached Booked or a later stage. */
  won: number;
  /** Share of leads older than 14 days that were won, from 0 to 1; null when none is that old. */
  winRate: number | null;
  /** Payments from customers, for bought and manual leads. */
  earned: string;
  /** Spend per won lead; null when none was won. */
  costPerWon: string | null;
};

export type MonthFigures = Figures & {
  /** Such as "2026-11". */
  month: string;
};
