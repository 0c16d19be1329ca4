import { use, useState } from "react";
import {
  isRouteErrorResponse,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  UNSAFE_FrameworkContext as FrameworkContext,
  useMatches,
} from "react-router";

import { useHydratedEvent } from "./app/use-hydrated-event.ts";
import { createFirstCallCheck, EarlyTapsScript, FirstCallContext } from "./documents/document-script.tsx";
import type { DocumentHandle } from "./documents/document-handle.ts";
import applicationSheet from "./application.css?url";
import documentStyles from "./documents.css?inline";
import leanStyles from "./documents-lean.css?inline";
import suburbStyles from "./documents-suburb.css?inline";

/** Returns whether the page belongs to the application, which has its own styles. */
function useIsApp(): boolean {
  return useMatches().some((match) => (match.handle as DocumentHandle | undefined)?.app === true);
}

/** Returns a document's styles, to inline in the page. Empty in the browser. */
function useDocumentStyles(): string {
  const matches = useMatches();
  if (!import.meta.env.SSR) return "";
  const handles = matches.map(({ handle, loaderData }) => ({
    ...(handle as DocumentHandle | undefined),
    loaderData,
  }));
  const sheets = { lean: leanStyles, suburb: suburbStyles };
  const own = handles.find(({ sheet }) => sheet)?.sheet;
  return (
    (own ? sheets[own] : documentStyles) +
    handles.map(({ styles, loaderData }) => styles?.(loaderData) ?? "").join("")
  );
}

export function Layout({ children }: { children: React.ReactNode }) {
  const isApp = useIsApp();
  const styles = useDocumentStyles();
  const framework = use(FrameworkContext);
  const nonce = framework?.nonce;
  const [isFirst] = useState(createFirstCallCheck);
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f5f8f0" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0e1611" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <Meta />
        {isApp && <EarlyTapsScript nonce={nonce} />}
        {/* Only providers install the application on their home screen, so documents have no manifest. */}
        {isApp && <link rel="manifest" href="/app.webmanifest" />}
        {/* The only sheet. If components imported their CSS, Vite would request a sheet for each lazily loaded part. */}
        {isApp ? (
          <link rel="stylesheet" href={applicationSheet} />
        ) : (
          <style dangerouslySetInnerHTML={{ __html: styles }} />
        )}
      </head>
      <body>
        <FirstCallContext value={isFirst}>{children}</FirstCallContext>
        {isApp && <ScrollRestoration nonce={nonce} />}
        {isApp && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

export default function Root() {
  // Runs on every page with the early-taps script, whatever its layout.
  useHydratedEvent();
  return <Outlet />;
}

export function ErrorBoundary({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return (
    <main className="wrap notice">
      <h1>{status === 404 ? "404 Page Not Found" : "Something went wrong"}</h1>
      <p>
        <a className="button" href="/">
          Back to the home page
        </a>
      </p>
    </main>
  );
}
