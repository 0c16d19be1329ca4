import { useId } from "react";

import type { TeamName } from "../../contract/team.ts";
import { useTeamNames } from "../team/team.ts";
import { Badge } from "../ui/badge.tsx";
import { Icon } from "../ui/icon.tsx";
import type { PurchasedLead } from "./purchases.ts";
import { usePurchaseChange } from "./use-purchase-change.ts";

const nameOf = ({ firstName, lastName, isYou }: TeamName) => (isYou ? "You" : `${firstName} ${lastName}`);

/** Assigns a lead to a team member. Hidden when the business has no team. */
export function AssignSelect({ purchase }: { purchase: PurchasedLead }) {
  const id = useId();
  const { data: team = [] } = useTeamNames();
  const { change } = usePurchaseChange(purchase.id);
  const { assignedTo } = purchase;
  if (team.length < 2 && assignedTo === null) return null;
  const isKnown = assignedTo === null || team.some((mate) => mate.id === assignedTo);
  return (
    <div className="field">
      <label htmlFor={id}>Assigned to</label>
      <select
        id={id}
        className="input"
        value={assignedTo ?? ""}
        onChange={(event) => void change({ assignedTo: event.target.value || null })}
      >
        <option value="">Not assigned</option>
        {!isKnown && <option value={assignedTo}>A former team member</option>}
        {team.map((mate) => (
          <option key={mate.id} value={mate.id}>
            {nameOf(mate)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Shows the assigned team member in a list. Renders nothing for an unassigned lead. */
export function AssigneeBadge({ purchase: { assignedTo } }: { purchase: PurchasedLead }) {
  const { data: team = [] } = useTeamNames(assignedTo !== null);
  const mate = team.find(({ id }) => id === assignedTo);
  if (!mate) return null;
  return (
    <Badge>
      <Icon name="user" size={14} /> <span className="visually-hidden">Assigned to </span>
      {mate.isYou ? "You" : mate.firstName}
    </Badge>
  );
}
