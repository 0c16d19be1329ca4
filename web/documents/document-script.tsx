import { addresses, earlyTaps, inline } from "virtual:document-scripts";
import { createContext, use } from "react";

/** Returns true once per document. React would write an inline script a second time. */
export const FirstAsk = createContext<() => boolean>(() => true);

/** Creates the context's value for one document. The server renders it once, from top to bottom. */
export function askedFirst(): () => boolean {
  let isFirst = true;
  return () => {
    const answer = isFirst;
    isFirst = false;
    return answer;
  };
}

/** The script that hydrates a document. Every component that needs it renders it; the page contains it once. */
export function DocumentScript() {
  const isFirst = use(FirstAsk);
  if (!inline) return <script async type="module" src={addresses["documents/document.ts"]} />;
  return isFirst() && <script type="module" dangerouslySetInnerHTML={{ __html: inline.code }} />;
}

/** Loads a separate script. React writes it into the head once. */
export function OwnScript({ file }: { file: "quotes/conversion.ts" }) {
  return <script async type="module" src={addresses[file]} />;
}

/** Stores taps before the application hydrates. It runs inline, before the rest of the page is parsed. */
export function EarlyTapsScript({ nonce }: { nonce: string | undefined }) {
  if (import.meta.env.DEV) return <script async type="module" src={addresses["app/early-taps.ts"]} />;
  return (
    <script
      async
      type="module"
      nonce={nonce}
      // In the browser the script has already run, and only the server has its code.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: earlyTaps?.code ?? "" }}
    />
  );
}
