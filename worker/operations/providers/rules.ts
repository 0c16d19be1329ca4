import type { ProviderChange } from "../../../contract/providers.ts";
import { DomainError } from "../../platform/errors.ts";

/**
 * Throws if admins try to deactivate their own account. No one could undo that for the last super admin.
 * @throws DomainError forbidden
 */
export function refuseOwnDeactivation(actorUserId: string, providerId: string, change: ProviderChange): void {
  if (actorUserId === providerId && !change.isActive) {
    throw new DomainError("forbidden", "You can't deactivate your own account");
  }
}
