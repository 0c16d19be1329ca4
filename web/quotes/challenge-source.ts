import { addresses } from "virtual:document-scripts";
import type { RouterContextProvider } from "react-router";

import type { FormChallenge } from "../documents/use-challenge.ts";
import { policyContext, requestContext } from "../lib/server-context.ts";

/**
 * Returns the loader data for Cloudflare's check, and allows the check in the page's content security policy.
 * @returns an empty object while the check is switched off
 */
export function getChallenge(context: Readonly<RouterContextProvider>): { challenge?: FormChallenge } {
  const { challenge } = context.get(requestContext);
  if (!challenge) return {};
  context.get(policyContext).usesTurnstile = true;
  return { challenge: { ...challenge, file: addresses["quotes/challenge.ts"]! } };
}
