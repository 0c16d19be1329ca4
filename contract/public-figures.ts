/** Figures that the public pages show. The Worker computes them from our records once a night. */
import type { ServiceId } from "./catalogue.ts";

/** Records that a figure needs. With fewer, the pages do not show it. */
export const FIGURE_MIN_RECORDS = 20;

/** Businesses that a price needs, so that it does not reveal the price of one of them. */
export const PRICE_MIN_BUSINESSES = 5;

/** The period of each figure: this many days, up to yesterday. */
export const FIGURE_DAYS = 365;

/** Pages stop showing a figure that was not computed again for this many days. */
export const FIGURE_MAX_AGE_DAYS = 7;

/** The figures, except prices. docs/figures.md defines each one. */
export const FIGURE_KEYS = [
  "rating",
  "satisfaction",
  "ratedProviders",
  "insured",
  "jobs",
  "winRate",
  "timeToCall",
  "customerCalled",
  "connected",
  "foundWithin",
  "leads",
  "locations",
  "lowPrice",
] as const;
export type FigureKey = (typeof FIGURE_KEYS)[number];

/** A figure with the number of its records, the number of their businesses, and its first and last day. */
export type PublicFigure = {
  value: number;
  n: number;
  businesses: number;
  fromDay: string;
  toDay: string;
};

/** Response of GET /api/public-figures. A figure with too few records is missing. */
export type PublicFigures = Partial<Record<FigureKey, PublicFigure>>;

/** The median price of a booked job, in cents. Response of GET /api/public-figures/prices: a list of these. */
export type JobPrice = PublicFigure & { service: ServiceId; council: string };
