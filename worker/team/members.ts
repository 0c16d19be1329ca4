import type { TeamMember } from "../../contract/team.ts";
import type { UserRow } from "../auth/rules.ts";

/** A team member as their owner sees them. */
export function toTeamMember(user: UserRow): TeamMember {
  return {
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    phone: user.phone,
    mustChangePassword: user.mustChangePassword,
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
