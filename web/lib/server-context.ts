import { createContext } from "react-router";

import type { ChallengeSource } from "../../contract/challenges.ts";
import type { ApiClient } from "./api.ts";

/** The API, called in-process on the server. Set by worker/pages.ts for each request. */
export const apiContext = createContext<ApiClient>();

/** Facts about a page's request. Set by worker/pages.ts. */
export const requestContext = createContext<{
  /** For inline scripts of application pages. Pages shared by several visitors have none. */
  nonce: string | undefined;
  contactPhone: string;
  contactEmail: string;
  /** "direct": leads are sold without a card (local development only). */
  payments: "stripe" | "direct";
  isSignedIn: boolean;
  /** "AW-…/…": the conversion sent to Google Ads, with the visitor's consent; null for none. */
  adsConversion: string | null;
  websiteBuilderUrl: string | null;
  /** Whether password reset links can be emailed. */
  sendsEmail: boolean;
  /** Whether visitors may be sent text messages. */
  sendsTexts: boolean;
  /** Browser key for Google's place suggestions, or null. */
  mapsKey: string | null;
  /** Days until requests are anonymised automatically; 0: never. */
  retention: { requestDays: number; soldDays: number };
  /** Cloudflare's challenge on visitors' forms; null while switched off. */
  challenge: ChallengeSource | null;
}>();

/**
 * What a page needs from its content security policy. Created by worker/pages.ts for each request, filled in by the
 * page's loaders, read when the document is sent.
 */
export const policyContext = createContext<{
  /** The page takes cards, so Stripe.js may load. */
  takesCards: boolean;
  /** Google Ads may receive a submitted request. */
  tellsAds: boolean;
  /** Cloudflare may challenge the visitor. */
  checksPeople: boolean;
  /** Google may complete a typed address. */
  completesAddresses: boolean;
}>();

/** Logs an error of a page without personal data. Set by worker/pages.ts. */
export const reportContext = createContext<(event: string, error: unknown) => void>();
