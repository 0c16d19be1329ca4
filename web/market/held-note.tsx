import { useClock } from "../lib/clock.tsx";
import { Badge } from "../ui/badge.tsx";
import { formatHold } from "./format-hold.ts";

/** Shows that another buyer is paying for a lead, and the remaining time of the hold. */
export function HeldNote({ until }: { until: number }) {
  const { now } = useClock();
  return <Badge tone="warm">{formatHold(until, now)}</Badge>;
}
