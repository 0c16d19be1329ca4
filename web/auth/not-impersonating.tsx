import { type ReactNode, use } from "react";

import { UserContext } from "./current-user.ts";

/**
 * Returns whether an admin impersonates the signed-in user. The server refuses what such an admin does in the business's
 * name.
 */
export const useIsImpersonating = (): boolean => use(UserContext)?.isImpersonating === true;

/**
 * Shows its children, except to an impersonating admin.
 * @param only the note that an impersonating admin sees instead, such as "reply" for "Only the business can reply."
 */
export function NotImpersonating({ only, children }: { only?: string; children?: ReactNode }) {
  if (!useIsImpersonating()) return children;
  return only && <p className="form__note">Only the business can {only}.</p>;
}
