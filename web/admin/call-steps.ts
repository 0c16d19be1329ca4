import type { CallStep } from "../../contract/market-figures.ts";

/** Labels of the steps from the request to the job. */
export const CALL_STEP_NAMES: Readonly<Record<CallStep, string>> = {
  requests: "Requests",
  sold: "Sold or given",
  in_time: "Called in time",
  late: "Called late",
  rescued: "Passed on",
  booked: "Job booked",
};
