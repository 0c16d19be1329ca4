import { DAY_MS, HOUR_MS } from "../../contract/durations.ts";

// Use one time zone for all users, so that the server and every browser render the same text.
const dates = new Intl.DateTimeFormat("en-AU", {
  timeZone: "Australia/Sydney",
  day: "numeric",
  month: "short",
  year: "numeric",
});
const moments = new Intl.DateTimeFormat("en-AU", {
  timeZone: "Australia/Sydney",
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});

/** Formats a date such as "14 Nov 2026". */
export function formatDate(at: number): string {
  return dates.format(at);
}

/** Formats a date and time such as "14 Nov, 3:20 pm". */
export function formatDateTime(at: number): string {
  return moments.format(at).replaceAll(" ", " ");
}

const times = new Intl.DateTimeFormat("en-AU", {
  timeZone: "Australia/Sydney",
  hour: "numeric",
  minute: "2-digit",
});

/** Formats a time such as "3:20 pm". */
export function formatTime(at: number): string {
  return times.format(at).replaceAll("\u202F", " ");
}

/** Formats an age: "New" under an hour, then hours, days, and a date after a week. */
export function formatAge(at: number, now: number): string {
  const age = now - at;
  if (age < HOUR_MS) return "New";
  if (age < DAY_MS) return count(Math.floor(age / HOUR_MS), "hour");
  if (age < 7 * DAY_MS) return count(Math.floor(age / DAY_MS), "day");
  return formatDate(at);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"} ago`;
}
