import { createContext } from "react-router";

import type { ChallengeSource } from "../../contract/challenges.ts";
import type { ApiClient } from "./api.ts";

/** The API, called in-process on the server. Set by worker/pages.ts for each request. */
export const apiContext = createContext<ApiClient>();

/** What a page needs to know about its request. Set by worker/pages.ts. */
export const requestContext = createContext<{
  /** For the inline scripts of application pages; a page that many share has none. */
  nonce: string | undefined;
  contactPhone: string;
  contactEmail: string;
  /** "direct": leads are handed over without a card (local development only). */
  payments: "stripe" | "direct";
  isSignedIn: boolean;
  /** "AW-…/…": which conversion Google Ads is told of, with the visitor's consent; null when none. */
  adsConversion: string | null;
  websiteBuilderUrl: string | null;
  /** Whether a link for a forgotten password can be sent by email. */
  sendsEmail: boolean;
  /** Whether visitors may be sent text messages. */
  sendsTexts: boolean;
  /** Browser key for Google's place suggestions; null without. */
  mapsKey: string | null;
  /** After how many days requests lose their person by themselves; 0: never. */
  retention: { requestDays: number; soldDays: number };
  /** Cloudflare's check on visitors' forms; null while it is not switched on. */
  challenge: ChallengeSource | null;
}>();

/**
 * What a page asks of its document's policy. Made by worker/pages.ts for each request, filled in by the
 * page's loaders, read when the document is sent.
 */
export const policyContext = createContext<{
  /** A card may be entered on it: Stripe.js may be loaded. */
  takesCards: boolean;
  /** Google Ads may be told of a request that was sent. */
  tellsAds: boolean;
  /** Cloudflare may check who fills in its form. */
  checksPeople: boolean;
  /** Google may complete an address that is typed on it. */
  completesAddresses: boolean;
}>();

/** Writes an error of a page into the Worker's log, without what is personal. Set by worker/pages.ts. */
export const reportContext = createContext<(event: string, error: unknown) => void>();
