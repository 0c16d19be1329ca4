import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { Link, useLocation } from "react-router";

import { useUser } from "../auth/current-user.ts";
import { FLASHES } from "../lib/flash.ts";
import { Icon } from "../ui/icon.tsx";
import { useToast } from "../ui/toaster.tsx";

type SignOutModule = typeof import("./sign-out.tsx");
type Losses = import("./sign-out.tsx").UnsavedCounts;

/** The dialog to show when signing out would lose changes. */
type Asked = { unsaved: Losses; SignOutDialog: SignOutModule["SignOutDialog"] };

/**
 * Signs the user out.
 * @param ask called instead if signing out would lose changes
 */
function useLogout(ask: (asked: Asked) => void) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: async ({ isForced }: { isForced: boolean }) => {
      // Load the dialog before signing out: users who need it have a poor connection.
      const { signOut, SignOutDialog } = await import("./sign-out.tsx");
      return { unsaved: await signOut(client, isForced), SignOutDialog };
    },
    onSuccess: (asked) => {
      if (asked.unsaved) ask(asked as Asked);
    },
    onError: () => {
      const { title, text } = FLASHES["logout-failed"];
      toast({ title, description: text, tone: "destructive" });
    },
  });
}

/** Reloads the dashboard's lists. Loads the code with the dashboard, because other pages have nothing to reload. */
function useRefreshLists() {
  const client = useQueryClient();
  const toast = useToast();
  const { watchedRegions } = useUser();
  return async () => {
    const { refreshLists } = await import("../dashboard/refresh.ts");
    toast(await refreshLists(client, watchedRegions));
  };
}

/** Shows the user's name and the links to pages outside the dashboard. */
export function AccountMenu() {
  const user = useUser();
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const close = () => popover.current?.hidePopover();
  const [asked, setAsked] = useState<Asked | null>(null);
  const logout = useLogout((newWarning) => {
    // Close first, so that the focus returns to the menu's button. When the dialog closes, it returns there too.
    close();
    setAsked(newWarning);
  });
  const refresh = useRefreshLists();
  const isOnDashboard = useLocation().pathname === "/dashboard";
  return (
    <div className="account">
      <button type="button" className="line gap-2 account__button" popoverTarget={id}>
        <span className="account__initials" aria-hidden="true">
          {user.firstName.slice(0, 1)}
          {user.lastName.slice(0, 1)}
        </span>
        <span className="account__name">
          {user.firstName} {user.lastName}
        </span>
        <Icon name="chevron" size={18} />
      </button>
      <div id={id} ref={popover} popover="auto" className="box menu-entries account__menu">
        <p className="account__who">
          <strong>
            {user.firstName} {user.lastName}
          </strong>
          {user.companyName && <span className="muted text-sm">{user.companyName}</span>}
        </p>
        <Link to="/dashboard" onClick={close}>
          Dashboard
        </Link>
        {isOnDashboard && user.businessId && (
          <button
            type="button"
            onClick={() => {
              close();
              void refresh();
            }}
          >
            Refresh leads
          </button>
        )}
        {user.userType === "provider" && (
          <>
            <Link to="/my-page" onClick={close}>
              My page
            </Link>
            <Link to="/my-reviews" onClick={close}>
              Reviews
            </Link>
            <Link to="/receipts" onClick={close}>
              Receipts
            </Link>
          </>
        )}
        <Link to="/settings" onClick={close}>
          Settings
        </Link>
        {user.isSuperAdmin && (
          <>
            <a href="/admin">Admin</a>
            <a href="/admin/providers">Manage Providers</a>
          </>
        )}
        <button type="button" disabled={logout.isPending} onClick={() => logout.mutate({ isForced: false })}>
          {logout.isPending ? "Logging out..." : "Logout"}
        </button>
      </div>
      {asked && (
        <asked.SignOutDialog
          unsaved={asked.unsaved}
          onStay={() => setAsked(null)}
          onSignOut={() => {
            setAsked(null);
            logout.mutate({ isForced: true });
          }}
        />
      )}
    </div>
  );
}
