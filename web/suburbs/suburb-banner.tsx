import type { SuburbDetail } from "../../contract/suburbs.ts";
import { useClaims } from "../site/site-claims.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { Benefits, type Point } from "../site/points.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import { Scene } from "../site/scenes/scene.tsx";
import { chooseScene } from "./choose-scene.ts";

/** Shows the suburb's name, its starting price, and a phone link and a quote link. */
export function SuburbBanner({
  suburb,
  phone,
  quoteHref,
}: {
  suburb: SuburbDetail;
  phone: string;
  quoteHref: string;
}) {
  return (
    <section className="hero">
      <div className="wrap hero__row">
        <div className="hero__words">
          <p className="price-plate">Starting from {formatFromPrice(suburb.priceFrom)}</p>
          <h1>Perfect Lawn Care in {suburb.name}</h1>
          <p className="intro">
            <strong className="hero__lead">One provider calls. Not five.</strong>{" "}
            {suburb.description ??
              `Lawn mowing, hedges and gardens in ${suburb.name} ${suburb.postcode}, with a free quote.`}
          </p>
          <p className="actions">
            <a className="button button--main button--large" href={quoteHref}>
              Get a free quote
            </a>
            <PhoneLink phone={phone} className="button button--quiet button--large">
              Call Now
            </PhoneLink>
          </p>
        </div>
        <Scene name={chooseScene(suburb)} />
      </div>
    </section>
  );
}

/** Shows answers to the four most common questions. */
export function SuburbHighlights({ priceFrom }: { priceFrom: number }) {
  const claims = useClaims();
  const isSpecified = claims.highlights !== null;
  const highlights: Point[] = [
    {
      icon: "clock",
      title: isSpecified ? "Quick Service" : "Your request",
      text: claims.quickService ?? "One form, one call",
    },
    {
      icon: "badge",
      title: isSpecified ? "Qualified Providers" : "Local providers",
      text: claims.insured ?? "Independent local businesses",
    },
    {
      icon: "calendar",
      title: isSpecified ? "Same Day Service" : "Quote by phone",
      text: claims.sameDay ?? "A provider calls you",
    },
    {
      icon: "coin",
      title: isSpecified ? "Competitive Pricing" : "Pricing",
      text: `From ${formatFromPrice(priceFrom)}`,
    },
  ];
  return <Benefits points={highlights} />;
}
