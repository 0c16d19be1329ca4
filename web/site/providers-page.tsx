import { CALL_HOURS } from "../../contract/call-clock.ts";
import { FREE_CLAIM_CAP, type FreeClaimRate, RULE_TEXTS } from "../../contract/guarantee.ts";
import { RESCUE_PRICE_CENTS } from "../../contract/money.ts";
import { unwrap } from "../lib/api.ts";
import { formatDollars } from "../lib/format-money.ts";
import { apiContext } from "../lib/server-context.ts";
import type { Route } from "./+types/providers-page.ts";
import { type ClaimId, isAsSpecified } from "./claims.ts";
import { getCanonicalUrl, pageMeta } from "./page-meta.ts";
import { sharePicture } from "./share-cards.ts";
import { Section } from "./section.tsx";
import { useClaims } from "./site-claims.ts";
import { Steps } from "./steps.tsx";
import { Scene } from "./scenes/scene.tsx";

export async function loader({ request, context }: Route.LoaderArgs) {
  // Without the rate, the page only says less.
  const { rate } = await unwrap(context.get(apiContext).api["guarantee-rate"].$get()).catch(() => ({
    rate: null,
  }));
  return { canonical: getCanonicalUrl(request), rate };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "Lawn and Garden Leads in NSW, $50 Each",
    description:
      "Each lead is sold to only one provider, at a fixed $50. See how that compares with other platforms, how to start, and when you get a free claim.",
    canonical: loaderData?.canonical,
    picture: sharePicture("providers"),
  });
}

/*
 * Compares with kinds of platform, not with named competitors. Australian Consumer Law (section 18) requires a
 * comparison by name to stay correct, and competitors change their prices without notice.
 */
const COMPARED = [
  "Naturestrip",
  "Pay-per-quote platform",
  "Membership directory",
  "Bidding platform",
] as const;
const ROWS: readonly [question: string, ...answers: [string, string, string, string]][] = [
  ["Price of a lead", "$50, fixed", "Varies by job", "Included in the membership", "Set by the highest bid"],
  ["Providers per lead", "Only one", "Several", "Everyone listed", "Several bidders"],
  ["Monthly fee", "None", "None or credits", "Yes", "Sometimes"],
  ["You compete on", "Being first", "Price", "Reviews and ads", "Your bid, then your quote"],
  ["Contact details", "In full, once you buy", "After paying", "When they call you", "After winning"],
];

const STEPS = [
  { title: "Join free", text: "Tell us about your business. It costs nothing." },
  { title: "Watch your regions", text: "New leads appear on your screen by themselves, without a reload." },
  {
    title: "Buy what suits you",
    text: "$50, once. The lead is yours alone and disappears for everyone else.",
  },
  {
    title: "Win the job",
    text: "Call, quote and track the job from first call to paid invoice, all in one place.",
  },
] as const;

const FIGURES: readonly { claim: ClaimId; figure: string; text: string }[] = [
  { claim: "winRate", figure: "80%+", text: "win rate" },
  { claim: "averageResponse", figure: "1 day", text: "average response" },
  { claim: "freshLeads", figure: "Fresh leads", text: "within 24 hours" },
];

function JoinLinks({ isOnDark }: { isOnDark?: boolean }) {
  return (
    <p className="actions">
      <a className="button button--main button--large" href="/provider-signup">
        Join Now - Free
      </a>
      <a
        className={`button button--large ${isOnDark ? "button--on-deep" : "button--quiet"}`}
        href="/auth/login"
      >
        Provider Login
      </a>
    </p>
  );
}

function Comparison() {
  return (
    <Section id="compare" title="How it compares">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- it scrolls sideways on a phone */}
      <div className="compare" role="group" aria-labelledby="compare" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Question</span>
              </th>
              {COMPARED.map((name, index) => (
                <th key={name} scope="col" className={index === 0 ? "ours" : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map(([question, ...answers]) => (
              <tr key={question}>
                <th scope="row">{question}</th>
                {answers.map((answer, index) => (
                  <td key={COMPARED[index]} className={index === 0 ? "ours" : undefined}>
                    {answer}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="note compare__more">Swipe the table sideways to see every column.</p>
      <p className="note">
        This is how platforms like these commonly work. Terms differ, so check theirs before you join.
      </p>
      <p className="note">
        You have {CALL_HOURS.other} hours to call, or {CALL_HOURS.urgent} if the job is urgent. Only the hours
        from 7&nbsp;am to 8&nbsp;pm count. Public holidays don’t count. If you don’t call and the customer
        tells us, another provider can buy the lead for {formatDollars(RESCUE_PRICE_CENTS / 100)}.
      </p>
    </Section>
  );
}

/** Shows the rules of the guarantee, and how often they gave a free claim. */
function FreeClaims({ rate }: { rate: FreeClaimRate | null }) {
  return (
    <Section id="free-claims" title="Free claims for bad leads">
      <div className="prose">
        <p>
          You get a free claim for another lead of the same price, by rules that anyone can read. Each
          decision says which rule it follows, and you can contest a refusal once.
        </p>
        <ul>
          {Object.values(RULE_TEXTS).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {rate && (
          <p>
            In the last 12 months, providers bought {rate.sales.toLocaleString("en-AU")} leads. We gave{" "}
            {rate.claims === 1 ? "1 free claim" : `${rate.claims.toLocaleString("en-AU")} free claims`} for
            them.
          </p>
        )}
        <p className="note">
          These rules give free claims for up to {FREE_CLAIM_CAP.share * 100}% of the leads you bought in the
          last {FREE_CLAIM_CAP.days} days, and at least one. Beyond that, or once the customer has reviewed
          you or you’ve marked the job as complete, our team decides. The{" "}
          <a href="/terms-conditions">terms</a> have the details.
        </p>
      </div>
    </Section>
  );
}

/** Splits a computed claim after its figure: "45%" and "of 412 leads". */
const LEADING_FIGURE = /^([\d,]+(?:%| h \d+ min| h| min| days)?) (.*)$/;

/** Returns the figures to show, as specified or as computed. */
function useFigures() {
  const claims = useClaims();
  return FIGURES.flatMap((specified) => {
    if (isAsSpecified(claims, specified.claim)) return [specified];
    const [, figure, text] = LEADING_FIGURE.exec(claims[specified.claim] ?? "") ?? [];
    return figure && text ? [{ figure, text }] : [];
  });
}

export default function ProvidersPage({ loaderData }: Route.ComponentProps) {
  const figures = useFigures();
  return (
    <>
      <section className="hero">
        <div className="wrap hero__row">
          <div className="hero__words">
            <p className="price-plate">$50 per lead, fixed</p>
            <h1>One lead, one provider</h1>
            <p className="intro">
              Every lawn and garden lead is sold to only one provider, at a fixed price of $50. No monthly
              fee, no bidding, and no four rivals calling the same customer.
            </p>
            <JoinLinks />
          </div>
          <Scene name="green_waste_removal" />
        </div>
      </section>
      <Comparison />
      <Steps steps={STEPS} />
      <FreeClaims rate={loaderData.rate} />
      {figures.length > 0 && (
        <Section id="figures" title="What providers get out of it">
          <ul className="big-figures">
            {figures.map(({ figure, text }) => (
              <li key={text}>
                <strong>{figure}</strong>
                {text}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <section className="banner" aria-labelledby="join">
        <div className="wrap">
          <h2 id="join">Ready for the next job?</h2>
          <p>Join free and see today's leads in your regions. You only pay for the ones you want.</p>
          <JoinLinks isOnDark />
        </div>
      </section>
    </>
  );
}
