import "./call-clock.css";

import { clockState } from "../../contract/call-clock.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { useClock } from "../lib/clock.tsx";
import { Badge } from "../ui/badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { describeCallClock } from "./call-clock.ts";
import type { PurchasedLead } from "./purchases.ts";

/** Shows a lead's call clock on a card, while it still matters to the buyer. */
export function CallClockMark({ purchase }: { purchase: PurchasedLead }) {
  const { now } = useClock();
  if (isFinal(purchase)) return null;
  if (clockState(purchase) === "rescued") return <Badge>Passed on to another provider</Badge>;
  const line = describeCallClock(purchase, now);
  return line?.isOpen ? <Badge tone={line.tone}>{line.text}</Badge> : null;
}

/** Shows a lead's call clock in its details. */
export function CallClockNote({ purchase }: { purchase: PurchasedLead }) {
  const { now } = useClock();
  const line = describeCallClock(purchase, now);
  if (!line) return null;
  return (
    <p className={`call-clock call-clock--${line.tone}`}>
      <Icon name="clock" size={18} />
      {line.text}
    </p>
  );
}
