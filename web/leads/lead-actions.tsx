import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { GiveLead } from "../admin/give-lead.tsx";
import { BuyButton } from "../duds/free-claim.tsx";
import { HeldNote } from "./held-note.tsx";
import { priceWords } from "./price-words.ts";

/** What a person may do with an available lead: owners buy, team members read along. */
export function LeadActions({
  lead,
  user,
  onBuy,
}: {
  lead: LeadSummary;
  user: CurrentUser;
  onBuy: (lead: LeadSummary) => void;
}) {
  if (lead.heldUntil !== null) return <HeldNote until={lead.heldUntil} />;
  // While impersonating nothing is bought for somebody else.
  if (user.userType === "team_member" || user.isImpersonating)
    return <p className="lead__price">{priceWords(lead.price)}</p>;
  return (
    <div className="lead__acts">
      {user.isSuperAdmin && <GiveLead lead={lead} user={user} />}
      <BuyButton lead={lead} onPay={() => onBuy(lead)} />
    </div>
  );
}
