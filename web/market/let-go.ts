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

/** How a lead stands that was let go of: it can still be taken back, or the exchange is just being told. */
export type LeavingState = "soon" | "sent";

type Leaving = Readonly<Record<string, LeavingState | null>>;

/** Remembers how a lead stands that was let go of; null when that is over. */
export function markLeaving(client: QueryClient, leadId: string, state: LeavingState | null): void {
  client.setQueryData<Leaving>(LEAVING_KEY, (leads) => ({ ...leads, [leadId]: state }));
}

/** How a lead stands that was let go of a moment ago; null for all others. */
export function useLeaving(leadId: string): LeavingState | null {
  const { data } = useQuery<Leaving>({ queryKey: LEAVING_KEY, queryFn: skipToken });
  return data?.[leadId] ?? null;
}

/** @returns until when (epoch ms) this window knows that a lead cannot be tried again; 0 when it may */
export function useWait(leadId: string): number {
  const { data = NONE } = useQuery<Waits>({ queryKey: LET_GO_KEY, queryFn: skipToken });
  return data[leadId] ?? 0;
}
