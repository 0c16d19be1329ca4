import { DAY_MS, HOUR_MS } from "../../contract/durations.ts";

const days = new Intl.DateTimeFormat("en-AU", { timeZone: "UTC", day: "numeric", month: "short" });
const longDays = new Intl.DateTimeFormat("en-AU", {
  timeZone: "UTC",
  weekday: "short",
  day: "numeric",
  month: "short",
});

/** Formats a day such as "2026-11-22" as "22 Nov", or as "Sun 22 Nov". */
export function formatDay(day: string, isLong = false): string {
  const text = (isLong ? longDays : days).format(Date.parse(day));
  return text.replaceAll(",", "");
}

/** Formats a duration: in minutes under an hour, in hours under two days, then in days. */
export function formatPeriodLength(ms: number): string {
  if (ms < HOUR_MS) return `${Math.round(ms / 60_000)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

/** Describes how a figure has changed from the previous one. */
export function formatTrend(now: number, before: number): string {
  if (now === before) return "the same as before";
  if (before === 0) return "none before";
  const change = Math.round(Math.abs(now / before - 1) * 100);
  if (change === 0) return "about the same as before";
  return `${now > before ? "up" : "down"} ${change}%`;
}
