import { addresses, earlyTaps, inline } from "virtual:document-scripts";
import { createContext, use } from "react";

/** Says true once for each document: of inline scripts React would write a second one. */
export const FirstAsk = createContext<() => boolean>(() => true);

/** For a document being rendered: from top to bottom, by the server, once. */
export function askedFirst(): () => boolean {
  let isFirst = true;
  return () => {
    const answer = isFirst;
    isFirst = false;
    return answer;
  };
}

/** The script that brings a document to life. Whatever needs it says so; the page contains it once. */
export function DocumentScript() {
  const isFirst = use(FirstAsk);
  if (!inline) return <script async type="module" src={addresses["documents/document.ts"]} />;
  return isFirst() && <script type="module" dangerouslySetInnerHTML={{ __html: inline.code }} />;
}

/** Asks for a script of its own. React writes it into the head once. */
export function OwnScript({ file }: { file: "quotes/conversion.ts" }) {
  return <script async type="module" src={addresses[file]} />;
}

/** Keeps what is tapped before the application is awake. It runs where it stands, before the rest of the page is read. */
export function EarlyTapsScript({ nonce }: { nonce: string | undefined }) {
  if (import.meta.env.DEV) return <script async type="module" src={addresses["app/early-taps.ts"]} />;
  return (
    <script
      async
      type="module"
      nonce={nonce}
      // In the browser it has run, and only the server knows it.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: earlyTaps?.code ?? "" }}
    />
  );
}
