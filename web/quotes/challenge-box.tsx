import type { FormChallenge } from "../documents/use-challenge.ts";

/** Keeps the box out of the page's flow, because most visitors never see it. */
const OUT_OF_FLOW_STYLE = { position: "absolute" } as const;

/** Renders the element for Cloudflare's check. Renders nothing while the check is switched off. */
export function ChallengeBox({ challenge }: { challenge: FormChallenge | undefined }) {
  return challenge && <div data-challenge style={OUT_OF_FLOW_STYLE} />;
}
