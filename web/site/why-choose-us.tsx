import { CUSTOMER_GUARANTEE } from "../../contract/guarantee.ts";
import { type ClaimId, type Claims, isAsSpecified } from "./claims.ts";
import { type Point, PromiseBlock, Reasons } from "./points.tsx";
import { Section } from "./section.tsx";
import { useClaims } from "./site-claims.ts";

/** The specification's words around each claim, and a title for its figure. */
const REASONS = [
  {
    icon: "badge",
    claim: "insured",
    specified: { title: "Fully Insured", more: ". We check before they take a job from us." },
    title: "Insurance and police checks",
  },
  {
    icon: "mower",
    claim: "experience",
    specified: { title: "Experienced Team", more: " in lawns and gardens, from couch to buffalo." },
    title: "Experience",
  },
  {
    icon: "star",
    claim: "ratedProviders",
    specified: { title: "5-Star Reviews", more: ". Any who drop below that stop getting jobs." },
    title: "Rated by customers",
  },
] as const satisfies readonly { claim: ClaimId; [part: string]: unknown }[];

/** Returns up to three reasons. Each depends on its claim. */
function listReasons(claims: Claims): Point[] {
  const points: Point[] = [];
  for (const { icon, claim, specified, title } of REASONS) {
    const text = claims[claim];
    if (text === null) continue;
    points.push(
      isAsSpecified(claims, claim)
        ? { icon, title: specified.title, text: text + specified.more }
        : { icon, title, text: `${text}.` },
    );
  }
  return points;
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

/** Returns the guarantee for customers. The home page and the terms use it. */
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
