import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { SAME_LEAD_WAIT_MINUTES } from "../../contract/payments.ts";
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

/** Team members read along, and while impersonating nothing is bought for somebody else. */
const mayBuy = (user: CurrentUser) => user.userType !== "team_member" && !user.isImpersonating;

/** What a person may do with an available lead. */
export function LeadActions(props: Props) {
  const { Dialog: AssignDialog, open, close } = useLateDialog(assignDialog);
  const { lead, user } = props;
  return (
    <>
      <Choices {...props} onAssign={(button) => void open(button)} />
      {/* Stays while somebody starts to pay: the admin in it hears why the lead is not given away. */}
      {AssignDialog && <AssignDialog lead={lead} user={user} onClose={close} />}
    </>
  );
}

function Choices({ lead, user, onBuy, onAssign }: Props & { onAssign: (button: HTMLElement) => void }) {
  const leaving = useLeaving(lead.id);
  if (leaving === "soon") return <TakeBack lead={lead} onTakeBack={() => onBuy(lead)} />;
  // Nothing is offered that might be answered with the hold that is about to end.
  if (leaving === "sent") return <Badge>Letting it go…</Badge>;
  if (lead.heldUntil !== null) return <HeldActions lead={lead} user={user} onBuy={onBuy} />;
  if (!mayBuy(user)) return <p className="lead__price">{formatPrice(lead.price)}</p>;
  return (
    <div className="lead__acts">
      {user.isSuperAdmin && <GiveLead lead={lead} onAssign={onAssign} />}
      <BuyOrWait lead={lead} onPay={() => onBuy(lead)} />
    </div>
  );
}

/** Whoever let a lead go waits before trying it again. */
function BuyOrWait({ lead, onPay }: { lead: LeadSummary; onPay: () => void }) {
  const leftMs = useWait(lead.id) - useClock().now;
  if (leftMs <= 0) return <BuyButton lead={lead} onPay={onPay} />;
  // The page's clock ticks a little late.
  const minutes = Math.min(SAME_LEAD_WAIT_MINUTES, Math.ceil(leftMs / 60_000));
  return <Badge>Let go. Try again in {minutes} min</Badge>;
}

/** A lead in somebody's hands; in our own, as after a reload, its purchase can be gone on with. */
function HeldActions({ lead, user, onBuy }: Props) {
  const ours = useOwnHolds(mayBuy(user));
  if (!ours.has(lead.id)) return <HeldNote until={lead.heldUntil!} />;
  return (
    <Button look="main" onClick={() => onBuy(lead)}>
      Finish buying
      <Where lead={lead} />
    </Button>
  );
}

/** A lead that was let go of a moment ago is still ours. */
function TakeBack({ lead, onTakeBack }: { lead: LeadSummary; onTakeBack: () => void }) {
  return (
    <Button look="main" onClick={onTakeBack}>
      Take it back
      <Where lead={lead} />
    </Button>
  );
}

/** Which lead a button is about, for those who hear it by itself. */
function Where({ lead }: { lead: LeadSummary }) {
  return <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>;
}
