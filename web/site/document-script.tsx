import { addresses } from "virtual:document-scripts";

/** Asks for a script of documents. Whatever needs it says so; React writes it into the head once. */
export function DocumentScript({
  file = "site/document.ts",
}: {
  file?: "site/document.ts" | "quotes/conversion.ts";
}) {
  return <script async type="module" src={addresses[file]} />;
}
