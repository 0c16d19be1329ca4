import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { SAME_LEAD_WAIT_MINUTES } from "../../contract/holds.ts";
import { GiveLead } from "./give-lead.tsx";
import { BuyButton } from "./free-claim.tsx";
import { useLeaving, useWait } from "./let-go.ts";
import { useOwnHolds } from "./own-holds.ts";
import { useClock } from "../lib/clock.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { HeldNote } from "./held-note.tsx";
import { formatPrice } from "../lib/format-money.ts";
import { latePart } from "../lib/late-part.ts";
import { useLateDialog } from "../lib/use-late-dialog.ts";

const assignDialog = latePart(async () => (await import("./assign-dialog.tsx")).AssignDialog);

type Props = { lead: LeadSummary; user: CurrentUser; onBuy: (lead: LeadSummary) => void };

/** Team members may only read. While impersonating, an admin buys nothing for the provider. */
const mayBuy = (user: CurrentUser) => user.userType !== "team_member" && !user.isImpersonating;

export function LeadActions(props: Props) {
  const { Dialog: AssignDialog, open, close } = useLateDialog(assignDialog);
  const { lead, user } = props;
  return (
    <>
      <Choices {...props} onAssign={(button) => void open(button)} />
      {/* Stays open when a buyer takes a hold, so that the admin in it sees why the lead is not assigned. */}
      {AssignDialog && <AssignDialog lead={lead} user={user} onClose={close} />}
    </>
  );
}

function Choices({ lead, user, onBuy, onAssign }: Props & { onAssign: (button: HTMLElement) => void }) {
  const isLeaving = useLeaving(lead.id);
  // Offer nothing here: a request might return the hold that is about to end.
  if (isLeaving) return <Badge>Letting it go…</Badge>;
  if (lead.heldUntil !== null) return <HeldActions lead={lead} user={user} onBuy={onBuy} />;
  if (!mayBuy(user)) return <p className="lead__price">{formatPrice(lead.price)}</p>;
  return (
    <div className="lead__acts">
      {user.isSuperAdmin && <GiveLead lead={lead} onAssign={onAssign} />}
      <BuyOrWait lead={lead} onPay={() => onBuy(lead)} />
    </div>
  );
}

/** A buyer who released a lead waits before trying it again. */
function BuyOrWait({ lead, onPay }: { lead: LeadSummary; onPay: () => void }) {
  const leftMs = useWait(lead.id) - useClock().now;
  if (leftMs <= 0) return <BuyButton lead={lead} onPay={onPay} />;
  // The page's clock ticks slightly late.
  const minutes = Math.min(SAME_LEAD_WAIT_MINUTES, Math.ceil(leftMs / 60_000));
  return <Badge>Let go. Try again in {minutes} min</Badge>;
}

/** Actions on a held lead. The buyer holding it can resume the purchase, such as after a reload. */
function HeldActions({ lead, user, onBuy }: Props) {
  const ours = useOwnHolds(mayBuy(user));
  if (!ours.has(lead.id)) return <HeldNote until={lead.heldUntil!} />;
  return (
    <Button look="main" onClick={() => onBuy(lead)}>
      Finish buying
      {/* Names the button's lead for assistive technology. */}
      <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
    </Button>
  );
}
