import { Icon, type IconName } from "../ui/icon.tsx";
import { claim, CLAIMS, type ClaimId } from "./claims.ts";

const REASONS = [
  {
    icon: "badge",
    title: "Fully Insured",
    needs: "insured",
    text: `${CLAIMS.insured.text}, checked before they take a job from us.`,
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
    text: `${CLAIMS.ratedProviders.text}. Those who drop below stop getting jobs.`,
  },
] as const satisfies readonly { icon: IconName; title: string; needs: ClaimId; text: string }[];

/** Three reasons; each stands only while its claim does. */
export function WhyChooseUs({ title = "Why choose us" }: { title?: string }) {
  return (
    <section className="section" aria-labelledby="why-choose-us">
      <div className="wrap">
        <div className="section__head">
          <h2 id="why-choose-us">{title}</h2>
        </div>
        <ul className="grid grid--3 reasons">
          {REASONS.filter((reason) => claim(reason.needs)).map((reason) => (
            <li key={reason.title}>
              <Icon name={reason.icon} size={32} />
              <h3>{reason.title}</h3>
              <p>{reason.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** What happens when the first job goes wrong. */
export function Guarantee() {
  if (!claim("guarantee")) return null;
  const points = [claim("noHiddenFees"), claim("vetting"), claim("ratedProviders")].filter(
    (text) => text !== null,
  );
  return (
    <section className="wrap" aria-labelledby="guarantee">
      <div className="guarantee">
        <div>
          <h2 id="guarantee">{claim("guarantee")}</h2>
          <p>
            If the first job isn't right, we find you a replacement provider or you get a refund for it. Call
            us and we sort it out.
          </p>
        </div>
        <ul className="ticks">
          {points.map((text) => (
            <li key={text}>
              <Icon name="check" />
              {text}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
