import { type QueryClient, skipToken, useQuery } from "@tanstack/react-query";

import { SAME_LEAD_WAIT_MINUTES } from "../../contract/holds.ts";

const LET_GO_KEY = ["let-go"] as const;

/** Time when each lead released in this window can be tried again (epoch ms). */
type Waits = Readonly<Record<string, number>>;

const NONE: Waits = {};

/** Starts the waiting time after releasing a lead. */
export function rememberLetGo(client: QueryClient, leadId: string): void {
  const until = Date.now() + SAME_LEAD_WAIT_MINUTES * 60_000;
  client.setQueryData<Waits>(LET_GO_KEY, (waits = NONE) => ({ ...waits, [leadId]: until }));
}

const LEAVING_KEY = ["leaving"] as const;

type Leaving = Readonly<Record<string, boolean>>;

/** Sets whether a lead is being released. */
export function markLeaving(client: QueryClient, leadId: string, isLeaving: boolean): void {
  client.setQueryData<Leaving>(LEAVING_KEY, (leads) => ({ ...leads, [leadId]: isLeaving }));
}

/** Returns whether a lead is being released. */
export function useLeaving(leadId: string): boolean {
  const { data } = useQuery<Leaving>({ queryKey: LEAVING_KEY, queryFn: skipToken });
  return data?.[leadId] ?? false;
}

/** Returns the time when this window may try the lead again (epoch ms); 0 without a wait. */
export function useWait(leadId: string): number {
  const { data = NONE } = useQuery<Waits>({ queryKey: LET_GO_KEY, queryFn: skipToken });
  return data[leadId] ?? 0;
}
