import { createContext } from "react-router";

import type { ChallengeSource } from "../../contract/challenges.ts";
import type { LegalEntity } from "../../contract/legal-entity.ts";
import type { SlowCallerRule } from "../../contract/standing.ts";
import type { ApiClient } from "./api.ts";

/** The API, called in-process on the server. Set by worker/pages.ts for each request. */
export const apiContext = createContext<ApiClient>();

/** Facts about a page's request. Set by worker/pages.ts. */
export const requestContext = createContext<{
  /** For inline scripts of application pages. Undefined for pages shared by several visitors. */
  nonce: string | undefined;
  contactPhone: string;
  contactEmail: string;
  /** The business that runs the site. */
  legalEntity: LegalEntity;
  /** "direct": leads are sold without a card (local development only). */
  payments: "stripe" | "direct";
  isSignedIn: boolean;
  /** "AW-…/…": the conversion to send to Google Ads with the visitor's consent; null for none. */
  adsConversion: string | null;
  websiteBuilderUrl: string | null;
  /** Whether password reset links can be emailed. */
  sendsEmail: boolean;
  /** Whether visitors may be sent text messages. */
  sendsTexts: boolean;
  /** Whether new passwords are checked against Have I Been Pwned. */
  checksBreaches: boolean;
  /** Browser key for Google's place suggestions, or null. */
  mapsKey: string | null;
  /** Days until requests are anonymised automatically. 0 means they are not. */
  retention: { requestDays: number; soldDays: number };
  /** The effect of a provider's low standing. */
  slowCallers: SlowCallerRule;
  /** Whether the pages make all claims of the specification, proved or not. */
  showsSampleClaims: boolean;
  /** Cloudflare's challenge on visitors' forms; null if switched off. */
  challenge: ChallengeSource | null;
}>();

/**
 * Additions to a page's content security policy. worker/pages.ts creates this for each request, loaders fill it in, and
 * the document's response applies it.
 */
export const policyContext = createContext<{
  /** Whether the page takes cards and may load Stripe.js. */
  takesCards: boolean;
  /** Whether a submitted request may be reported to Google Ads. */
  reportsConversions: boolean;
  /** Whether Cloudflare may challenge the visitor. */
  usesTurnstile: boolean;
  /** Whether Google may complete a typed address. */
  completesAddresses: boolean;
}>();

/** Logs a page's error without personal data. Set by worker/pages.ts. */
export const reportContext = createContext<(event: string, error: unknown) => void>();
