import { addresses } from "virtual:document-scripts";
import type { ComponentType } from "react";

import { DocumentScript } from "./document-script.tsx";

/**
 * Marks a document's component as an island: the server renders it, and the browser hydrates it.
 * @param file the component's path below `web/`, such as "quotes/quote-form.island.tsx"; its default export must be
 *   `component`
 * @param when to fetch its code: "now" if the form is the page's purpose, otherwise at the first "touch" or focus. The
 *   code always runs at the first touch, to save the phone's CPU
 * @param props plain data, sent in the page
 */
export function Island<Props extends object>({
  file,
  component: Component,
  when,
  props,
}: {
  file: `${string}.island.tsx`;
  component: ComponentType<Props>;
  when: "touch" | "now";
  props: Props;
}) {
  return (
    <>
      <DocumentScript />
      <div data-island={addresses[file]} data-when={when} data-props={JSON.stringify(props)}>
        <Component {...props} />
      </div>
    </>
  );
}
