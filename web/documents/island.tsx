import { addresses } from "virtual:document-scripts";
import type { ComponentType } from "react";

import { DocumentScript } from "./document-script.tsx";

/**
 * Marks a component of a document as an island: rendered by the server, hydrated in the browser.
 * @param file the component's path below `web/`, such as "quotes/quote-form.island.tsx"; its default
 *   export must be `component`
 * @param when its code is fetched: "now" for a page that is the form, else at the first "touch" or focus. It always
 * runs at the first touch: before that it would only cost the visitor's phone time
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
