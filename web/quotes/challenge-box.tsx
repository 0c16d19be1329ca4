import type { FormChallenge } from "./challenge-source.ts";

/** Out of the flow: only whoever is asked to tick a box gets to see it. */
const UNSEEN = { position: "absolute" } as const;

/** Where Cloudflare's check may ask something; nothing where it is not switched on. */
export function ChallengeBox({ challenge }: { challenge: FormChallenge | undefined }) {
  return challenge && <div data-challenge style={UNSEEN} />;
}
