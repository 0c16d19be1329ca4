import { CUSTOMER_GUARANTEE } from "../../contract/guarantee.ts";
import { type ClaimId, type Claims, isAsSpecified } from "./claims.ts";
import { type Point, PromiseBlock, Reasons } from "./points.tsx";
import { Section } from "./section.tsx";
import { useClaims } from "./site-claims.ts";

/** The specification's title of each claim, and a title for its figure. */
const REASONS = [
  { icon: "badge", claim: "insured", specified: "Fully Insured", title: "Insurance and police checks" },
  { icon: "mower", claim: "experience", specified: "Experienced Team", title: "Experience" },
  { icon: "star", claim: "ratedProviders", specified: "5-Star Reviews", title: "Rated by customers" },
] as const satisfies readonly { claim: ClaimId; [part: string]: unknown }[];

/** Returns up to three reasons. Each depends on its claim. */
function listReasons(claims: Claims): Point[] {
  return REASONS.flatMap(({ icon, claim, specified, title }) => {
    const text = claims[claim];
    if (text === null) return [];
    return { icon, title: isAsSpecified(claims, claim) ? specified : title, text: `${text}.` };
  });
}

/** Shows why to choose us. Renders nothing without a reason. */
export function WhyChooseUs({ title = "Why choose us" }: { title?: string }) {
  const reasons = listReasons(useClaims());
  if (reasons.length === 0) return null;
  return (
    <Section id="why-choose-us" title={title}>
      <Reasons points={reasons} />
    </Section>
  );
}

/** Returns the guarantee for customers. The home page, the terms and `/how-it-works` use it. */
export function guaranteeText(claims: Claims): string {
  const { promise, refund } = CUSTOMER_GUARANTEE;
  return claims.guaranteeRefund ? `${promise} ${refund}` : promise;
}

/** Shows the guarantee for a first job that goes wrong. */
export function Guarantee() {
  const claims = useClaims();
  const title = claims.guarantee;
  if (!title) return null;
  const points = [claims.noHiddenFees, claims.vetting, claims.ratedProviders].filter((text) => text !== null);
  return (
    <section className="wrap" aria-labelledby="guarantee">
      <PromiseBlock id="guarantee" title={title} text={guaranteeText(claims)} items={points} />
    </section>
  );
}
