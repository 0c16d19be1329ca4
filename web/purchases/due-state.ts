import { addDays, startOfSydneyDay, sydneyDay } from "../../contract/sydney-time.ts";
import { formatDate, formatTime } from "../lib/format-time.ts";

export type DueState = "overdue" | "today" | "later";

export function getDueState(nextActionAt: number, now: number): DueState {
  const [day, today] = [sydneyDay(nextActionAt), sydneyDay(now)];
  if (day < today) return "overdue";
  return day === today ? "today" : "later";
}

/** Formats a due time: Today, Tomorrow, Yesterday or the date, plus the hour if one is set. */
export function formatDue(nextActionAt: number, now: number): string {
  const [day, today] = [sydneyDay(nextActionAt), sydneyDay(now)];
  const hour = nextActionAt === startOfSydneyDay(day) ? "" : `, ${formatTime(nextActionAt)}`;
  return `${formatDay(nextActionAt, day, today)}${hour}`;
}

function formatDay(at: number, day: string, today: string): string {
  if (day === today) return "Today";
  if (day === addDays(today, 1)) return "Tomorrow";
  if (day === addDays(today, -1)) return "Yesterday";
  return formatDate(at);
}
