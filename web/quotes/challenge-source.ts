import { addresses } from "virtual:document-scripts";
import type { RouterContextProvider } from "react-router";

import type { ChallengeSource } from "../../contract/challenges.ts";
import { policyContext, requestContext } from "../lib/server-context.ts";

/** What a form needs to have its visitor checked; `file` is our own part, fetched when it is wanted. */
export type FormChallenge = ChallengeSource & { file: string };

/**
 * What a page with a request form hands it for Cloudflare's check, and the page's policy follows.
 * @returns nothing at all where it is not switched on
 */
export function challengeFor(context: Readonly<RouterContextProvider>): { challenge?: FormChallenge } {
  const { challenge } = context.get(requestContext);
  if (!challenge) return {};
  context.get(policyContext).checksPeople = true;
  return { challenge: { ...challenge, file: addresses["quotes/challenge.ts"]! } };
}
