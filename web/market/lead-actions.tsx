import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { SAME_LEAD_WAIT_MINUTES } from "../../contract/holds.ts";
import { AssignOrClaimLead } from "./assign-lead.tsx";
import { BuyButton } from "./free-claim.tsx";
import { useIsReleasing, useRetryTime } from "./released-leads.ts";
import { useOwnHolds } from "./own-holds.ts";
import { useUser } from "../auth/current-user.ts";
import { useClock } from "../lib/clock.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { HeldNote } from "./held-note.tsx";
import { formatPrice } from "../lib/format-money.ts";
import { createLazyPart } from "../lib/lazy-part.ts";
import { useLazyDialog } from "../lib/use-lazy-dialog.ts";

const assignDialog = createLazyPart(async () => (await import("./assign-dialog.tsx")).AssignDialog);
const claimDialog = createLazyPart(async () => (await import("./claim-dialog.tsx")).ClaimDialog);

/** Opens a lead's purchase. The tapped button shows that its code is loading. */
export type OnBuy = (lead: LeadSummary, button: HTMLElement) => void;

type Props = { lead: LeadSummary; onBuy: OnBuy };

/**
 * Returns whether the user may buy. Team members may only read. An impersonating admin may not buy for the provider.
 */
const mayBuy = (user: CurrentUser) => user.userType !== "team_member" && !user.isImpersonating;

export function LeadActions(props: Props) {
  const assign = useLazyDialog(assignDialog);
  const claim = useLazyDialog(claimDialog);
  const { lead } = props;
  return (
    <>
      <LeadChoices
        {...props}
        onClaim={(button) => void claim.open(button)}
        onAssign={(button) => void assign.open(button)}
      />
      {/* Keep the dialogs open when a buyer takes a hold, so that the admin sees why they did not get the lead. */}
      {claim.Dialog && <claim.Dialog lead={lead} onClose={claim.close} />}
      {assign.Dialog && <assign.Dialog lead={lead} onClose={assign.close} />}
    </>
  );
}

type OnAsk = (button: HTMLElement) => void;

function LeadChoices({ lead, onBuy, ...ask }: Props & { onClaim: OnAsk; onAssign: OnAsk }) {
  const user = useUser();
  const isReleasing = useIsReleasing(lead.id);
  // Offer no action: a request might return the hold that is about to end.
  if (isReleasing) return <Badge>Releasing…</Badge>;
  if (lead.heldUntil !== null) return <HeldActions lead={lead} onBuy={onBuy} />;
  if (!mayBuy(user)) return <p className="lead__price">{formatPrice(lead.price)}</p>;
  return (
    <div className="cluster gap-2 lead__acts">
      {user.isSuperAdmin && <AssignOrClaimLead lead={lead} {...ask} />}
      <BuyOrWait lead={lead} onBuy={onBuy} />
    </div>
  );
}

/** Shows the Buy button. A buyer who just released the lead has to wait first. */
function BuyOrWait({ lead, onBuy }: Pick<Props, "lead" | "onBuy">) {
  const leftMs = useRetryTime(lead.id) - useClock().now;
  if (leftMs <= 0) return <BuyButton lead={lead} onPay={(button) => onBuy(lead, button)} />;
  // Cap the minutes, because the page's clock runs slightly late.
  const minutes = Math.min(SAME_LEAD_WAIT_MINUTES, Math.ceil(leftMs / 60_000));
  return <Badge>Released. You can buy it again in {minutes} min</Badge>;
}

/** Shows actions on a held lead. The buyer who holds it can resume the purchase, for example after a reload. */
function HeldActions({ lead, onBuy }: Props) {
  const ours = useOwnHolds(mayBuy(useUser()));
  if (!ours.has(lead.id)) return <HeldNote until={lead.heldUntil!} />;
  return (
    <Button variant="main" onClick={({ currentTarget }) => onBuy(lead, currentTarget)}>
      Finish buying
      {/* Adds the lead's location to the button's name for assistive technology. */}
      <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
    </Button>
  );
}
