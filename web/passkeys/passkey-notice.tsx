import { Link, useLocation } from "react-router";

import { useUser } from "../auth/current-user.ts";
import { Icon } from "../ui/icon.tsx";

const PASSKEYS_PAGE = "/settings?tab=password";

/** Reminds a super admin without a passkey on every page that the admin pages require one. */
export function PasskeyNotice() {
  const { pathname, search } = useLocation();
  const { needsPasskey } = useUser();
  if (!needsPasskey || `${pathname}${search}` === PASSKEYS_PAGE) return null;
  return (
    <aside className="line passkey-notice" aria-label="Admin rights">
      <Icon name="badge" size={20} />
      <p>
        <strong>Your admin pages need a passkey.</strong> Until then, you only have a provider's rights.
      </p>
      <Link className="button" to={`${PASSKEYS_PAGE}#passkeys`}>
        Set it up
      </Link>
    </aside>
  );
}
