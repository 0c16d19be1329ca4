import type { LeadSummary } from "../../contract/leads.ts";
import { Button } from "../ui/button.tsx";

type OnAsk = (button: HTMLElement) => void;

/** Shows a super admin's actions on an available lead, besides buying it. Both ask first. */
export function AssignOrClaimLead({
  lead,
  onClaim,
  onAssign,
}: {
  lead: LeadSummary;
  onClaim: OnAsk;
  onAssign: OnAsk;
}) {
  const place = <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>;
  return (
    <>
      <Button variant="quiet" onClick={({ currentTarget }) => onClaim(currentTarget)}>
        Claim Free
        {place}
      </Button>
      <Button variant="quiet" onClick={({ currentTarget }) => onAssign(currentTarget)}>
        Assign
        {place}
      </Button>
    </>
  );
}
