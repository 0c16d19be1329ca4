import { SAME_LEAD_WAIT_MINUTES } from "../../contract/holds.ts";
import { createStore, useStore } from "../lib/store.ts";

type ByLead<Value> = Readonly<Record<string, Value>>;

/** Time when each lead released in this window can be tried again (epoch ms). */
const retryTimes = createStore<ByLead<number>>({});
const releasing = createStore<ByLead<boolean>>({});

const NONE: ByLead<never> = {};

/** Starts the waiting time after releasing a lead. */
export function recordRelease(leadId: string): void {
  const until = Date.now() + SAME_LEAD_WAIT_MINUTES * 60_000;
  retryTimes.write({ ...retryTimes.read(), [leadId]: until });
}

/** Sets whether a lead is being released. */
export function setReleasing(leadId: string, isReleasing: boolean): void {
  releasing.write({ ...releasing.read(), [leadId]: isReleasing });
}

/** Returns whether a lead is being released. */
export const useIsReleasing = (leadId: string): boolean => useStore(releasing, NONE)[leadId] ?? false;

/** Returns the time when this window may try the lead again (epoch ms); 0 without a wait. */
export const useRetryTime = (leadId: string): number => useStore(retryTimes, NONE)[leadId] ?? 0;
