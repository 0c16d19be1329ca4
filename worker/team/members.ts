import { type TeamAlerts, type TeamMember, USUAL_TEAM_ALERTS } from "../../contract/team.ts";
import type { UserRow } from "../platform/session.ts";

/** A team member as their owner sees them. @param alerts null while their owner has chosen nothing */
export function toTeamMember(user: UserRow, alerts: TeamAlerts | null): TeamMember {
  return {
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    phone: user.phone,
    mustChangePassword: user.mustChangePassword,
    alerts: alerts ? { sales: alerts.sales, mentions: alerts.mentions } : USUAL_TEAM_ALERTS,
    createdAt: user.createdAt,
  };
}

/**
 * What is left of somebody who was removed from a team: their name, because their work stands under it.
 * Their email and their username, which is the same, are free again.
 */
export function removedMember(id: string, now: number) {
  return {
    username: `removed-${id}`,
    email: null,
    phone: null,
    // No password has this hash.
    passwordHash: "",
    isActive: false,
    removedAt: now,
    updatedAt: now,
  };
}
