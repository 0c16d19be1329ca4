import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";

import { ClockProvider } from "../lib/clock.tsx";
import { ConnectionProvider, type ConnectionState, useConnectionState } from "../lib/connection.tsx";
import { recoverFocus } from "../lib/recover-focus.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import { ConfirmationProvider } from "../passkeys/use-with-confirmation.tsx";
import { Badge } from "../ui/badge.tsx";
import { BarNoticePlace } from "../ui/bar-notice.tsx";
import { Toaster, useToast } from "../ui/toaster.tsx";

/**
 * Provides an application page with the query cache, clock, connection state, toasts and dialogs.
 * @param renderedAt when the server rendered the page, in epoch ms
 */
export function AppFrame({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  useEffect(() => {
    const unmounted = new AbortController();
    recoverFocus(unmounted.signal);
    return () => unmounted.abort();
  }, []);
  return (
    <Toaster>
      <QueryProvider>
        <ClockProvider renderedAt={renderedAt}>
          <ConnectionProvider>
            <ConfirmationProvider>{children}</ConfirmationProvider>
          </ConnectionProvider>
        </ClockProvider>
      </QueryProvider>
    </Toaster>
  );
}

/** Provides the query cache. It is inside the toaster, because mutations show toasts. */
function QueryProvider({ children }: { children: ReactNode }) {
  const toast = useToast();
  const [client] = useState(() => makeQueryClient(toast));
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

const EMPTY_HTML = { __html: "" };

/**
 * Shows the top bar with the page below it.
 * @param above content above the bar, such as the impersonation notice
 * @param menu the account menu
 * @param below content between the bar and the page
 */
export function AppBar({
  above,
  menu,
  below,
  children,
}: {
  above?: ReactNode;
  menu?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      {/* `early-taps.ts` announces taps to screen readers here. React never renders into it. */}
      <output
        id="tapped"
        className="visually-hidden"
        suppressHydrationWarning
        dangerouslySetInnerHTML={EMPTY_HTML}
      />
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {above}
      <header className="line bar">
        <div className="line brand">
          <DashboardLink />
          <Badge>Provider Portal</Badge>
        </div>
        <BarNoticePlace />
        <ConnectionChip />
        {menu}
      </header>
      {below}
      <main id="main" className="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

const STATE_LABELS: Record<NonNullable<ConnectionState>, string> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  offline: "Offline",
};

/** Shows in text and colour whether the lists are live. Renders no text on pages without a live list. */
function ConnectionChip() {
  const state = useConnectionState();
  return (
    <output className="connection" data-state={state ?? undefined}>
      {state && (
        <>
          <span className="connection__dot" aria-hidden="true" />
          {STATE_LABELS[state]}
        </>
      )}
    </output>
  );
}

function DashboardLink() {
  return (
    <a href="/dashboard" className="line gap-2 bar__logo">
      <img src="/favicon.svg" alt="" width="32" height="32" />
      <span>Naturestrip</span>
    </a>
  );
}
