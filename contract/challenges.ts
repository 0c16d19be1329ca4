/** Through which form a request came: Cloudflare Turnstile signs it into what it gives the browser. */
export const CHALLENGE_ACTIONS = ["quote", "booking"] as const;
export type ChallengeAction = (typeof CHALLENGE_ACTIONS)[number];

/** What a browser needs to be checked. */
export type ChallengeSource = {
  /** The widget's public key. */
  siteKey: string;
  /** Where Turnstile's script comes from. */
  scriptUrl: string;
};
