import { DAY_MS, HOUR_MS } from "./durations.ts";

/** The time zone of New South Wales. All dates use it, whatever the time zone of the server or browser. */
export const SYDNEY = "Australia/Sydney";

const parts = new Intl.DateTimeFormat("en-CA", {
  timeZone: SYDNEY,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

function partsOf(at: number) {
  const found = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  return found as Record<"year" | "month" | "day" | "hour" | "minute" | "second", string>;
}

/** Returns the date in Sydney at a time (epoch ms), such as "2026-11-21". */
export function sydneyDay(at: number): string {
  const { year, month, day } = partsOf(at);
  return `${year}-${month}-${day}`;
}

/** Formats a time for spreadsheets, such as "2026-11-21 14:05". */
export function formatSydneyTime(at: number): string {
  const { hour, minute } = partsOf(at);
  return `${sydneyDay(at)} ${hour}:${minute}`;
}

/** Returns Sydney's offset from UTC at a time, in ms; 10 or 11 hours. */
function getUtcOffsetMs(at: number): number {
  const { year, month, day, hour, minute, second } = partsOf(at);
  const local = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second);
  return local - Math.floor(at / 1000) * 1000;
}

/**
 * Returns when a day begins in Sydney.
 * @param day such as "2026-11-21"
 * @returns epoch ms; null when the text is not a day
 */
export function startOfSydneyDay(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const asUtc = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 10) !== day) return null;
  // Clocks change at 2 or 3 am, so midnight still has the old offset.
  const guess = asUtc - getUtcOffsetMs(asUtc - 10 * HOUR_MS);
  return asUtc - getUtcOffsetMs(guess);
}

/** Adds days, or subtracts them: addDays("2026-11-30", 1) = "2026-12-01". */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the month in Sydney at a time (epoch ms), such as "2026-11". */
export function sydneyMonth(at: number): string {
  return sydneyDay(at).slice(0, 7);
}

/** Adds months, or subtracts them: addMonths("2026-01", -1) = "2025-12". */
export function addMonths(month: string, months: number): string {
  const [year, index] = month.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, index - 1 + months, 1)).toISOString().slice(0, 7);
}

const deadlines = new Intl.DateTimeFormat("en-AU", {
  timeZone: SYDNEY,
  weekday: "long",
  hour: "numeric",
  minute: "2-digit",
});

/**
 * Formats a deadline within the next six days, such as "Monday 8:27 am". It names the day even if that is today, because
 * a message may be read later. Every deadline uses this function.
 */
export const formatDeadline = (at: number): string => deadlines.format(at).replaceAll("\u202F", " ");

const longDay = new Intl.DateTimeFormat("en-AU", {
  timeZone: "UTC",
  day: "numeric",
  month: "long",
  year: "numeric",
});

/** Formats a day such as "2026-11-25" as "25 November 2026". */
export const formatLongDay = (day: string): string => longDay.format(Date.parse(`${day}T00:00:00Z`));
