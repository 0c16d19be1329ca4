import "./app.css";

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";

import { ClockProvider } from "../lib/clock.tsx";
import { ConnectionProvider } from "../lib/connection.tsx";
import { keepFocus } from "../lib/keep-focus.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import { ConfirmingProvider } from "../passkeys/confirming.tsx";
import { Badge } from "../ui/badge.tsx";
import { Toaster } from "../ui/toaster.tsx";
import { ConnectionChip } from "./connection-chip.tsx";
import { DashboardLink } from "./dashboard-link.tsx";

/**
 * What a page of the application lives in: the server's answers, the time, the connection, toasts and questions.
 * @param renderedAt the server's time when it rendered the page, in epoch ms
 */
export function AppFrame({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  const [client] = useState(makeQueryClient);
  useEffect(() => {
    const ending = new AbortController();
    keepFocus(ending.signal);
    return () => ending.abort();
  }, []);
  return (
    <QueryClientProvider client={client}>
      <ClockProvider renderedAt={renderedAt}>
        <ConnectionProvider>
          <Toaster>
            <ConfirmingProvider>{children}</ConfirmingProvider>
          </Toaster>
        </ConnectionProvider>
      </ClockProvider>
    </QueryClientProvider>
  );
}

const NOTHING = { __html: "" };

/**
 * The bar at the top with the page below it.
 * @param above what stands over the bar, such as whose eyes an admin looks through
 * @param menu whose account this is
 * @param below what stands between bar and page
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
      {/* What `early-taps.ts` says to those who listen; the application itself never draws in it. */}
      <output
        id="heard"
        className="visually-hidden"
        suppressHydrationWarning
        dangerouslySetInnerHTML={NOTHING}
      />
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      {above}
      <header className="bar">
        <div className="brand">
          <DashboardLink />
          <Badge>Provider Portal</Badge>
        </div>
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
