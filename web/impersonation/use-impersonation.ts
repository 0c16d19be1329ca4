import { useMutation } from "@tanstack/react-query";

import { messageOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { flashCookie } from "../lib/flash.ts";
import { useToast } from "../ui/toaster.tsx";

/** Starts an impersonation. It applies to all windows of this browser. */
export function useStartImpersonation() {
  const toast = useToast();
  return useMutation({
    mutationFn: (targetUserId: string) =>
      unwrap(browserApi().api.auth.impersonate.$post({ json: { targetUserId } })),
    onSuccess: () => {
      document.cookie = flashCookie("impersonation-started");
      location.assign("/dashboard");
    },
    onError: (error) => {
      const description = messageOf(error, "Unable to start impersonation");
      toast({ title: "Failed to Start Impersonation", description, tone: "destructive" });
    },
  });
}

/** Ends an impersonation and returns to the super admin's own account. */
export function useStopImpersonation() {
  const toast = useToast();
  return useMutation({
    mutationFn: () => unwrap(browserApi().api.auth["stop-impersonation"].$post()),
    onSuccess: () => {
      document.cookie = flashCookie("impersonation-stopped");
      location.assign("/dashboard");
    },
    onError: (error) => {
      const description = messageOf(error, "Unable to stop impersonation");
      toast({ title: "Failed to Stop Impersonation", description, tone: "destructive" });
    },
  });
}
