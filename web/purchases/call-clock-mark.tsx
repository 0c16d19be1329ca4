import { useRouteLoaderData } from "react-router";

import { clockState } from "../../contract/call-state.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { useIsNumberWrong } from "../bad-leads/bad-leads.ts";
import { useClock } from "../lib/clock.tsx";
import { Badge } from "../ui/badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { PhoneNumber } from "../ui/phone-number.tsx";
import { type CallClockLine, describeCallClock } from "./call-clock.ts";
import type { PurchasedLead } from "./purchases.ts";

/** Shows a lead's call clock on a card, while it still matters to the buyer. */
export function CallClockMark({ purchase }: { purchase: PurchasedLead }) {
  const { now } = useClock();
  if (isFinal(purchase)) return null;
  if (clockState(purchase) === "rescued") return <Badge>Passed on to another provider</Badge>;
  const line = describeCallClock(purchase, now);
  return line?.isOpen ? <OpenMark purchase={purchase} line={line} /> : null;
}

/** Only leads with a running clock look up whether the number is wrong: a list has hundreds of rows. */
function OpenMark({ purchase, line }: { purchase: PurchasedLead; line: CallClockLine }) {
  return useIsNumberWrong(purchase) ? (
    <Badge tone="hot">Wrong number</Badge>
  ) : (
    <Badge tone={line.tone}>{line.text}</Badge>
  );
}

/** Shows where a provider can object. The offline page has no number. */
function Objection() {
  const layout = useRouteLoaderData("app/app-layout") as { contactPhone: string } | undefined;
  if (!layout) return " Think that’s wrong? Call us.";
  const { contactPhone } = layout;
  return (
    <>
      {" "}
      Think that’s wrong? Call us on <PhoneNumber typed={contactPhone} />.
    </>
  );
}

/** Shows a lead's call clock in its details. */
export function CallClockNote({ purchase }: { purchase: PurchasedLead }) {
  const { now } = useClock();
  const isNumberWrong = useIsNumberWrong(purchase);
  const line = describeCallClock(purchase, now, isNumberWrong);
  if (!line) return null;
  return (
    <p className={`line gap-2 muted text-sm call-clock call-clock--${line.tone}`}>
      <Icon name="clock" size={18} />
      <span>
        {line.text}
        {clockState(purchase) === "rescued" && <Objection />}
      </span>
    </p>
  );
}
