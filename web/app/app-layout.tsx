import { useEffect } from "react";
import { Outlet, redirect } from "react-router";

import type { CurrentUser } from "../../contract/auth.ts";
import { fetchCurrentUser, useCurrentUser, UserContext, useSessionCheck } from "../auth/current-user.ts";
import { ImpersonationBanner } from "../impersonation/impersonation-banner.tsx";
import { CLEAR_FLASH, FLASHES, readFlash } from "../lib/flash.ts";
// Import with the first page: the browser offers installation once, and the settings page loads too late.
import "../lib/install.ts";
import { apiContext, policyContext, requestContext } from "../lib/server-context.ts";
import { PasskeyNotice } from "../passkeys/passkey-notice.tsx";
import { useToast } from "../ui/toaster.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { AppBar, AppFrame } from "./app-frame.tsx";
import type { Route } from "./+types/app-layout.ts";

export const handle = { app: true };

export async function loader({ context }: Route.LoaderArgs) {
  const user = await fetchCurrentUser(context.get(apiContext));
  if (user?.mustChangePassword) throw redirect("/choose-password");
  const { payments, contactPhone } = context.get(requestContext);
  // Navigation does not load a new policy, so the first page's policy must allow cards.
  context.get(policyContext).takesCards = payments === "stripe" && user?.userType === "provider";
  return { user, contactPhone, renderedAt: Date.now() };
}

/** Never revalidates: the user cannot change on navigation, because signing in or out loads a new page. */
export function shouldRevalidate() {
  return false;
}

export default function AppLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AppFrame renderedAt={loaderData.renderedAt}>
      <Shell initialUser={loaderData.user} />
    </AppFrame>
  );
}

function Shell({ initialUser }: { initialUser: CurrentUser | null }) {
  const user = useCurrentUser(initialUser);
  useFlash();
  useSessionCheck();
  useClearBadge();
  return (
    // A page may still show its parts after the session has ended.
    <UserContext value={user ?? initialUser}>
      <AppBar
        above={user?.isImpersonating && <ImpersonationBanner />}
        menu={user && <AccountMenu />}
        below={user && <PasskeyNotice />}
      >
        <Outlet />
      </AppBar>
    </UserContext>
  );
}

/** Shows a message from the previous page, such as "Login successful". */
function useFlash() {
  const toast = useToast();
  useEffect(() => {
    const flash = readFlash(document.cookie);
    if (!flash) return;
    document.cookie = CLEAR_FLASH;
    const message: { title: string; text?: string | undefined } = FLASHES[flash];
    toast({ title: message.title, description: message.text });
  }, [toast]);
}

/** Clears the badge on the application's icon while the page is visible. */
function useClearBadge(): void {
  useEffect(() => {
    const clearIfVisible = () => {
      if (!document.hidden) void navigator.clearAppBadge?.().catch(() => {});
    };
    clearIfVisible();
    document.addEventListener("visibilitychange", clearIfVisible);
    return () => document.removeEventListener("visibilitychange", clearIfVisible);
  }, []);
}
