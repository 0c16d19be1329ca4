import { addresses, earlyTaps, inline } from "virtual:document-scripts";
import { createContext, use } from "react";

/** Returns true on the first call per document, because React would render an inline script twice. */
export const FirstCallContext = createContext<() => boolean>(() => true);

/** Creates the context's value for one document. Works only because the server renders a document once, in order. */
export function createFirstCallCheck(): () => boolean {
  let isFirst = true;
  return () => {
    const answer = isFirst;
    isFirst = false;
    return answer;
  };
}

/**
 * Renders the script that hydrates a document. Every component that needs the script renders this; the page contains it
 * once.
 */
export function DocumentScript() {
  const isFirst = use(FirstCallContext);
  if (!inline) return <script async type="module" src={addresses["documents/document.ts"]} />;
  return isFirst() && <script type="module" dangerouslySetInnerHTML={{ __html: inline.code }} />;
}

/** Loads a separate script. React adds it to the head once. */
export function OwnScript({ file }: { file: "quotes/conversion.ts" | "requests/follow-request.ts" }) {
  return <script async type="module" src={addresses[file]} />;
}

/**
 * Records taps before the application hydrates. The script is inline, so it runs before the browser parses the rest.
 */
export function EarlyTapsScript({ nonce }: { nonce: string | undefined }) {
  if (import.meta.env.DEV) return <script async type="module" src={addresses["app/early-taps.ts"]} />;
  return (
    <script
      async
      type="module"
      nonce={nonce}
      // The script has already run, and only the server has its code.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: earlyTaps?.code ?? "" }}
    />
  );
}
