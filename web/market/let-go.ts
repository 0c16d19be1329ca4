import { type QueryClient, skipToken, useQuery } from "@tanstack/react-query";

import { SAME_LEAD_WAIT_MINUTES } from "../../contract/payments.ts";

const LET_GO_KEY = ["let-go"] as const;

/** Until when (epoch ms) each lead that was let go of in this window cannot be tried again. */
type Waits = Readonly<Record<string, number>>;

const NONE: Waits = {};

/** Remembers that a lead was let go of just now. */
export function rememberLetGo(client: QueryClient, leadId: string): void {
  const until = Date.now() + SAME_LEAD_WAIT_MINUTES * 60_000;
  client.setQueryData<Waits>(LET_GO_KEY, (waits = NONE) => ({ ...waits, [leadId]: until }));
}

const LEAVING_KEY = ["leaving"] as const;

/** Leads that this window lets go of in a moment. */
type Leaving = readonly string[];

/** Remembers whether a lead can still be taken back, as it can for a moment after it was let go of. */
export function markLeaving(client: QueryClient, leadId: string, isLeaving: boolean): void {
  client.setQueryData<Leaving>(LEAVING_KEY, (ids = []) => {
    const others = ids.filter((id) => id !== leadId);
    return isLeaving ? [...others, leadId] : others;
  });
}

/** Whether a lead can still be taken back. */
export function useIsLeaving(leadId: string): boolean {
  const { data = [] } = useQuery<Leaving>({ queryKey: LEAVING_KEY, queryFn: skipToken });
  return data.includes(leadId);
}

/** @returns until when (epoch ms) this window knows that a lead cannot be tried again; 0 when it may */
export function useWait(leadId: string): number {
  const { data = NONE } = useQuery<Waits>({ queryKey: LET_GO_KEY, queryFn: skipToken });
  return data[leadId] ?? 0;
}
