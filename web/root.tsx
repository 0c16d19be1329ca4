import { use, useState } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  UNSAFE_FrameworkContext as FrameworkContext,
  useMatches,
} from "react-router";

import { askedFirst, FirstAsk } from "./documents/document-script.tsx";
import documentStyles from "./documents.css?inline";

/** A route whose `handle` says so is hydrated as a whole; every other page is a document. */
function useIsApp(): boolean {
  return useMatches().some((match) => (match.handle as { app?: true } | undefined)?.app === true);
}

/** What one route's document needs besides the sheet of all: its `handle` has it. */
function useOwnStyles(): string {
  return useMatches()
    .map((match) => (match.handle as { styles?: string } | undefined)?.styles ?? "")
    .join("");
}

export function Layout({ children }: { children: React.ReactNode }) {
  const isApp = useIsApp();
  const ownStyles = useOwnStyles();
  const framework = use(FrameworkContext);
  const nonce = framework?.nonce;
  const [isFirst] = useState(askedFirst);
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
        {/* Providers keep the application on their home screen; visitors are not asked to keep a page. */}
        {isApp && <link rel="manifest" href="/app.webmanifest" />}
        {isApp ? (
          <Links />
        ) : (
          <style
            dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? documentStyles + ownStyles : "" }}
          />
        )}
      </head>
      <body>
        <FirstAsk value={isFirst}>{children}</FirstAsk>
        {isApp && <ScrollRestoration nonce={nonce} />}
        {isApp && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

export default function Root() {
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
