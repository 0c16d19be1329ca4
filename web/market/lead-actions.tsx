import { useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { AssignDialog, GiveLead } from "./give-lead.tsx";
import { BuyButton } from "./free-claim.tsx";
import { useOwnHolds } from "./own-holds.ts";
import { Button } from "../ui/button.tsx";
import { HeldNote } from "./held-note.tsx";
import { formatPrice } from "../lib/format-money.ts";

type Props = { lead: LeadSummary; user: CurrentUser; onBuy: (lead: LeadSummary) => void };

/** Team members read along, and while impersonating nothing is bought for somebody else. */
const mayBuy = (user: CurrentUser) => user.userType !== "team_member" && !user.isImpersonating;

/** What a person may do with an available lead. */
export function LeadActions(props: Props) {
  const [isAssigning, setAssigning] = useState(false);
  const { lead, user } = props;
  return (
    <>
      <Choices {...props} onAssign={() => setAssigning(true)} />
      {/* Stays while somebody starts to pay: the admin in it hears why the lead is not given away. */}
      {isAssigning && <AssignDialog lead={lead} user={user} onClose={() => setAssigning(false)} />}
    </>
  );
}

function Choices({ lead, user, onBuy, onAssign }: Props & { onAssign: () => void }) {
  if (lead.heldUntil !== null) return <HeldActions lead={lead} user={user} onBuy={onBuy} />;
  if (!mayBuy(user)) return <p className="lead__price">{formatPrice(lead.price)}</p>;
  return (
    <div className="lead__acts">
      {user.isSuperAdmin && <GiveLead lead={lead} onAssign={onAssign} />}
      <BuyButton lead={lead} onPay={() => onBuy(lead)} />
    </div>
  );
}

/** A lead in somebody's hands; in our own, as after a reload, its purchase can be gone on with. */
function HeldActions({ lead, user, onBuy }: Props) {
  const ours = useOwnHolds(mayBuy(user));
  if (!ours.has(lead.id)) return <HeldNote until={lead.heldUntil!} />;
  return (
    <Button look="main" onClick={() => onBuy(lead)}>
      Finish buying
      <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
    </Button>
  );
}
