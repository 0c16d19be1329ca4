import type { RouterContextProvider } from "react-router";

import type { PageServiceId } from "../../contract/catalogue.ts";
import { lookUpSuburb } from "../addresses/look-up-suburb.ts";
import { unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import { handleFormPost } from "./post-form.ts";
import { SEND_FAILED } from "./quote-check.ts";
import { checkSimpleQuote, readSimpleQuote } from "./simple-quote-check.ts";

/** Handles a short quote form posted before or without the script. */
export async function handleSimpleQuotePost(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  service: PageServiceId | null,
) {
  const client = context.get(apiContext);
  return handleFormPost(request, {
    read: readSimpleQuote,
    check: (values) => checkSimpleQuote(values, service),
    send: (json) => unwrap(client.api.leads.$post({ json })),
    failedText: SEND_FAILED,
    place: (values) => lookUpSuburb(client, values),
  });
}
