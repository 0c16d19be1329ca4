import { addresses } from "virtual:document-scripts";

/** Asks for the documents' script. Whatever needs it says so; React writes it into the head once. */
export function DocumentScript() {
  return <script async type="module" src={addresses["site/document.ts"]} />;
}
