import { useMutation } from "@tanstack/react-query";

import { changeSession } from "../auth/current-user.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { flashCookie } from "../lib/flash.ts";

/** Starts an impersonation. It applies to all windows of this browser. */
export function useStartImpersonation() {
  return useMutation({
    mutationFn: (targetUserId: string) =>
      changeSession(() => unwrap(browserApi().api.auth.impersonate.$post({ json: { targetUserId } }))),
    meta: {
      failed: { title: "Failed to Start Impersonation", description: "Unable to start impersonation" },
    },
    onSuccess: () => {
      document.cookie = flashCookie("impersonation-started");
      location.assign("/dashboard");
    },
  });
}

/** Ends an impersonation and returns to the super admin's own account. */
export function useStopImpersonation() {
  return useMutation({
    mutationFn: () => changeSession(() => unwrap(browserApi().api.auth["stop-impersonation"].$post())),
    meta: { failed: { title: "Failed to Stop Impersonation", description: "Unable to stop impersonation" } },
    onSuccess: () => {
      document.cookie = flashCookie("impersonation-stopped");
      location.assign("/dashboard");
    },
  });
}
