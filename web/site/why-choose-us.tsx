import { CUSTOMER_GUARANTEE } from "../../contract/guarantee.ts";
import { getClaimText, CLAIMS, type ClaimId, isPromised } from "./claims.ts";
import { type Point, PromiseBlock, Reasons } from "./points.tsx";
import { Section } from "./section.tsx";

const REASONS = [
  {
    icon: "badge",
    title: "Fully Insured",
    needs: "insured",
    text: `${CLAIMS.insured.text}. We check before they take a job from us.`,
  },
  {
    icon: "mower",
    title: "Experienced Team",
    needs: "experience",
    text: `${CLAIMS.experience.text} in lawns and gardens, from couch to buffalo.`,
  },
  {
    icon: "star",
    title: "5-Star Reviews",
    needs: "ratedProviders",
    text: `${CLAIMS.ratedProviders.text}. Any who drop below that stop getting jobs.`,
  },
] as const satisfies readonly (Point & { needs: ClaimId })[];

/** Shows up to three reasons. Each depends on its claim. */
export function WhyChooseUs({ title = "Why choose us" }: { title?: string }) {
  return (
    <Section id="why-choose-us" title={title}>
      <Reasons points={REASONS.filter((reason) => getClaimText(reason.needs))} />
    </Section>
  );
}

/** Returns the guarantee for customers. The home page and the terms use it. */
export function guaranteeText(): string {
  const { promise, refund } = CUSTOMER_GUARANTEE;
  return isPromised("guaranteeRefund") ? `${promise} ${refund}` : promise;
}

/** Shows the guarantee for a first job that goes wrong. */
export function Guarantee() {
  const title = getClaimText("guarantee");
  if (!title) return null;
  const points = [
    getClaimText("noHiddenFees"),
    getClaimText("vetting"),
    getClaimText("ratedProviders"),
  ].filter((text) => text !== null);
  return (
    <section className="wrap" aria-labelledby="guarantee">
      <PromiseBlock id="guarantee" title={title} text={guaranteeText()} items={points} />
    </section>
  );
}
