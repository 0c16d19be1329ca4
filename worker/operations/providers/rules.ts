import type { ProviderChange } from "../../../contract/providers.ts";
import { DomainError } from "../../platform/errors.ts";

/**
 * Nobody locks themselves out: with the last super admin gone nobody could undo it.
 * @throws DomainError forbidden
 */
export function requireChangeable(actorUserId: string, providerId: string, change: ProviderChange): void {
  if (actorUserId === providerId && change.isActive === false) {
    throw new DomainError("forbidden", "You cannot deactivate your own account");
  }
}
