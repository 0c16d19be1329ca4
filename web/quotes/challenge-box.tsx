import type { FormChallenge } from "./challenge-source.ts";

/** Out of the flow: only visitors who have to tick a box see it. */
const UNSEEN = { position: "absolute" } as const;

/** The element for Cloudflare's check. Renders nothing while the check is switched off. */
export function ChallengeBox({ challenge }: { challenge: FormChallenge | undefined }) {
  return challenge && <div data-challenge style={UNSEEN} />;
}
