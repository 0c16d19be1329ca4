import { type TeamAlerts, type TeamMember, DEFAULT_TEAM_ALERTS } from "../../../contract/team.ts";
import type { UserRow } from "../../platform/session.ts";

/**
 * Returns a team member as their owner sees them.
 * @param alerts null if the owner has not chosen any alerts
 */
export function toTeamMember(user: UserRow, alerts: TeamAlerts | null): TeamMember {
  return {
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    phone: user.phone,
    mustChangePassword: user.mustChangePassword,
    alerts: alerts ? { sales: alerts.sales, mentions: alerts.mentions } : DEFAULT_TEAM_ALERTS,
    createdAt: user.createdAt,
  };
}

/**
 * Returns the column values for a removed member. The name stays, because their work shows it. The email and the
 * identical username become available again.
 */
export function removedMember(id: string, now: number) {
  return {
    username: `removed-${id}`,
    email: null,
    phone: null,
    // No password matches this hash.
    passwordHash: "",
    isActive: false,
    removedAt: now,
    updatedAt: now,
  };
}
