import { type QueryClient, skipToken, useQuery } from "@tanstack/react-query";

import { SAME_LEAD_WAIT_MINUTES } from "../../contract/holds.ts";

const RELEASED_LEADS_KEY = ["let-go"] as const;

/** Time when each lead released in this window can be tried again (epoch ms). */
type RetryTimes = Readonly<Record<string, number>>;

const NONE: RetryTimes = {};

/** Starts the waiting time after releasing a lead. */
export function recordRelease(client: QueryClient, leadId: string): void {
  const until = Date.now() + SAME_LEAD_WAIT_MINUTES * 60_000;
  client.setQueryData<RetryTimes>(RELEASED_LEADS_KEY, (retryTimes = NONE) => ({
    ...retryTimes,
    [leadId]: until,
  }));
}

const RELEASING_KEY = ["leaving"] as const;

type Leaving = Readonly<Record<string, boolean>>;

/** Sets whether a lead is being released. */
export function setReleasing(client: QueryClient, leadId: string, isReleasing: boolean): void {
  client.setQueryData<Leaving>(RELEASING_KEY, (leads) => ({ ...leads, [leadId]: isReleasing }));
}

/** Returns whether a lead is being released. */
export function useIsReleasing(leadId: string): boolean {
  const { data } = useQuery<Leaving>({ queryKey: RELEASING_KEY, queryFn: skipToken });
  return data?.[leadId] ?? false;
}

/** Returns the time when this window may try the lead again (epoch ms); 0 without a wait. */
export function useRetryTime(leadId: string): number {
  const { data = NONE } = useQuery<RetryTimes>({ queryKey: RELEASED_LEADS_KEY, queryFn: skipToken });
  return data[leadId] ?? 0;
}
