/** The form that a request came from. Cloudflare Turnstile signs it into the token. */
export const CHALLENGE_ACTIONS = ["quote", "booking"] as const;
export type ChallengeAction = (typeof CHALLENGE_ACTIONS)[number];

/** Settings of the Turnstile widget in the browser. */
export type ChallengeSource = {
  /** The widget's public key. */
  siteKey: string;
  /** URL of Turnstile's script. */
  scriptUrl: string;
};
