import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { Link } from "react-router";

import type { CurrentUser } from "../../contract/auth.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { FLASHES, flashCookie } from "../lib/flash.ts";
import { forgetSealed } from "../lib/sealed-store.ts";
import { forgetKeptNotes } from "../purchases/notes-desk.tsx";
import { Icon } from "../ui/icon.tsx";
import { useToast } from "../ui/toaster.tsx";

function useLogout() {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () =>
      unwrap(browserApi().api.auth.logout.$post({}, { headers: JSON_BODY, init: { body: "{}" } })),
    onSuccess: async () => {
      client.clear();
      await Promise.all([forgetKeptNotes(), forgetSealed()]);
      // The next page is a document: it says so itself.
      document.cookie = flashCookie("logout");
      location.assign("/");
    },
    onError: () => {
      const { title, text } = FLASHES["logout-failed"];
      toast({ title, description: text, tone: "destructive" });
    },
  });
}

const JSON_BODY = { "Content-Type": "application/json" };

/** Whose account this is, and the ways out of the dashboard. */
export function AccountMenu({ user }: { user: CurrentUser }) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const logout = useLogout();
  const close = () => popover.current?.hidePopover();
  return (
    <div className="account">
      <button type="button" className="account__button" popoverTarget={id}>
        <span className="account__initials" aria-hidden="true">
          {user.firstName.slice(0, 1)}
          {user.lastName.slice(0, 1)}
        </span>
        <span className="account__name">
          {user.firstName} {user.lastName}
        </span>
        <Icon name="chevron" size={18} />
      </button>
      <div id={id} ref={popover} popover="auto" className="account__menu">
        <p className="account__who">
          <strong>
            {user.firstName} {user.lastName}
          </strong>
          {user.companyName && <span>{user.companyName}</span>}
        </p>
        <Link to="/dashboard" onClick={close}>
          Dashboard
        </Link>
        {user.userType === "provider" && (
          <Link to="/receipts" onClick={close}>
            Receipts
          </Link>
        )}
        <Link to="/settings" onClick={close}>
          Settings
        </Link>
        {user.isSuperAdmin && <a href="/admin/providers">Manage Providers</a>}
        <button type="button" disabled={logout.isPending} onClick={() => logout.mutate()}>
          {logout.isPending ? "Logging out..." : "Logout"}
        </button>
      </div>
    </div>
  );
}
