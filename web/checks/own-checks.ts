import { useQuery } from "@tanstack/react-query";

import { type Check, CHECK_REMINDER_DAYS, type OwnChecks } from "../../contract/checks.ts";
import { addDays, sydneyDay } from "../../contract/sydney-time.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { KEPT } from "../lib/query-client.ts";

export const CHECKS_KEY = ["checks"] as const;

/** Returns the business's checks. Loads them when they are shown, unless the page's loader did. */
export function useOwnChecks(initialData?: OwnChecks) {
  return useQuery({
    queryKey: CHECKS_KEY,
    queryFn: () => unwrap(browserApi().api.user.checks.$get()),
    initialData,
    ...KEPT,
  });
}

/** Returns whether a valid check ends so soon that the business should send the new one. */
export const endsSoon = ({ endsOn }: Check) =>
  endsOn !== null && endsOn <= addDays(sydneyDay(Date.now()), CHECK_REMINDER_DAYS[0]);
