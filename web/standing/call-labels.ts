import {
  CALL_LISTS,
  type CallList,
  type CallResult,
  STANDING_PERIODS,
  type StandingPeriod,
} from "../../contract/standing.ts";
import type { BadgeTone } from "../ui/badge.tsx";

/** Labels of the lists behind the figures. */
export const LIST_LABELS: Readonly<Record<CallList, string>> = {
  all: "Leads bought",
  counted: "Leads in the percentage",
  called: "Leads called",
  in_time: "Called in time",
  late: "Called late",
  missed: "Not called",
  rescued: "Passed on to another provider",
  open: "Still time to call",
  withdrawn: "Customer withdrew the request",
  never_asked: "Customer never asked for a quote",
  bad_lead: "Bad lead, or free claim by our rules",
};

export const PERIOD_LABELS: Readonly<Record<StandingPeriod, string>> = {
  recent: "Last 90 days",
  all: "All time",
};

export const RESULT_TONES: Readonly<Record<CallResult, BadgeTone>> = {
  in_time: "fresh",
  late: "warm",
  missed: "hot",
  rescued: "hot",
  open: "neutral",
  withdrawn: "neutral",
  never_asked: "neutral",
  bad_lead: "neutral",
};

export type OpenList = { show: CallList; period: StandingPeriod };

/** Returns the URL that opens a list on the same page. */
export function listHref({ show, period }: OpenList): string {
  return `?calls=${show}&period=${period}#calls`;
}

/** Reads the open list from the URL; null when none is open. */
export function parseOpenList(params: URLSearchParams): OpenList | null {
  const show = CALL_LISTS.find((list) => list === params.get("calls"));
  if (!show) return null;
  return { show, period: STANDING_PERIODS.find((period) => period === params.get("period")) ?? "recent" };
}
