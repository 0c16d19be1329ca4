import { addresses } from "virtual:document-scripts";
import type { ComponentType } from "react";

import { DocumentScript } from "../site/document-script.tsx";

/**
 * Marks a component of a document as an island: rendered by the server, hydrated in the browser.
 * @param file the component's path below `web/`, such as "quotes/quote-form.island.tsx"; its default
 *   export must be `component`
 * @param when "touch": its code is fetched when it is touched or focused; "now": at once
 * @param props plain data; it travels in the page
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
