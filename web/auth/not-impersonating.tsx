import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { CURRENT_USER_KEY } from "./current-user.ts";

/**
 * Returns whether an admin impersonates the signed-in user. The server refuses what such an admin does in the business's
 * name. Reads the cache only, because the page reloads when an impersonation starts or ends.
 */
export function useIsImpersonating(): boolean {
  const user = useQueryClient().getQueryData<CurrentUser | null>(CURRENT_USER_KEY);
  return user?.isImpersonating === true;
}

/**
 * Shows its children, except to an impersonating admin.
 * @param only the note that an impersonating admin sees instead, such as "reply" for "Only the business can reply."
 */
export function NotImpersonating({ only, children }: { only?: string; children?: ReactNode }) {
  if (!useIsImpersonating()) return children;
  return only && <p className="form__note">Only the business can {only}.</p>;
}
