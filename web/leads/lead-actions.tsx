import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { GiveLead } from "../admin/give-lead.tsx";
import { BuyButton } from "../duds/free-claim.tsx";
import { useOwnHolds } from "../payments/own-holds.ts";
import { Button } from "../ui/button.tsx";
import { HeldNote } from "./held-note.tsx";
import { priceWords } from "./price-words.ts";

type Props = { lead: LeadSummary; user: CurrentUser; onBuy: (lead: LeadSummary) => void };

/** Team members read along, and while impersonating nothing is bought for somebody else. */
const mayBuy = (user: CurrentUser) => user.userType !== "team_member" && !user.isImpersonating;

/** What a person may do with an available lead. */
export function LeadActions({ lead, user, onBuy }: Props) {
  if (lead.heldUntil !== null) return <HeldActions lead={lead} user={user} onBuy={onBuy} />;
  if (!mayBuy(user)) return <p className="lead__price">{priceWords(lead.price)}</p>;
  return (
    <div className="lead__acts">
      {user.isSuperAdmin && <GiveLead lead={lead} user={user} />}
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
