/** Forms protected by Cloudflare Turnstile. Its token names the form. */
export const CHALLENGE_ACTIONS = ["quote", "booking"] as const;
export type ChallengeAction = (typeof CHALLENGE_ACTIONS)[number];

/** Settings of the Turnstile widget in the browser. */
export type ChallengeSource = {
  /** The widget's public key. */
  siteKey: string;
  /** URL of Turnstile's script. */
  scriptUrl: string;
};
