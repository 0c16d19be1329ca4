import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { SessionInfo } from "../../contract/account.ts";
import { useIsImpersonating } from "../auth/not-impersonating.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDate, formatDateTime } from "../lib/format-time.ts";
import { reload } from "../lib/query-client.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";
import { SESSIONS_KEY, useSessions } from "./account.ts";

/** Signs out one session, or all other sessions when given null. */
function useSignOut() {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (id: string | null) => {
      const { sessions } = browserApi().api.user;
      return id === null ? unwrap(sessions.$delete()) : unwrap(sessions[":id"].$delete({ param: { id } }));
    },
    meta: { failed: "Sign out failed" },
    onSuccess: (_, id) => {
      client.setQueryData<SessionInfo[]>(SESSIONS_KEY, (list) =>
        list?.filter((session) => session.isCurrent || (id !== null && session.id !== id)),
      );
      toast({ title: id === null ? "Signed out everywhere else" : "Signed out of that device" });
    },
    onError: () => reload(client, SESSIONS_KEY),
  });
}

export function Sessions({ initial }: { initial: SessionInfo[] }) {
  const isImpersonating = useIsImpersonating();
  const { data: sessions } = useSessions(initial);
  const signOut = useSignOut();
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  return (
    <>
      <p className="form__note">
        {others.length === 0
          ? "You're signed in here and nowhere else."
          : "Don't recognise one of these? Sign out that device and change your password."}
      </p>
      <ul>
        {sessions.map((session) => (
          <li key={session.id} className="line session">
            <div>
              <p>
                <strong>{session.isSupport ? "Naturestrip support, on your behalf" : session.device}</strong>{" "}
                {session.isCurrent && <Badge tone="fresh">This device</Badge>}
              </p>
              <p className="muted text-sm">
                Since {formatDateTime(session.createdAt)}, last used {formatDate(session.lastSeenAt)}
              </p>
            </div>
            {!session.isCurrent && !isImpersonating && (
              <Button
                variant="quiet"
                aria-label={`Sign out ${session.device}, since ${formatDateTime(session.createdAt)}`}
                disabled={signOut.isPending}
                onClick={() => signOut.mutate(session.id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && !isImpersonating && (
        <div className="form__foot">
          <Button variant="main" isBusy={signOut.isPending} onClick={() => signOut.mutate(null)}>
            Sign out everywhere else
          </Button>
        </div>
      )}
    </>
  );
}
