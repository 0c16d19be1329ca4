import type { ProviderChange } from "../../../contract/providers.ts";
import { DomainError } from "../../platform/errors.ts";

/**
 * Refuses admins who deactivate their own account: if the last super admin did so, no one could undo it.
 * @throws DomainError forbidden
 */
export function requireChangeable(actorUserId: string, providerId: string, change: ProviderChange): void {
  if (actorUserId === providerId && change.isActive === false) {
    throw new DomainError("forbidden", "You cannot deactivate your own account");
  }
}
