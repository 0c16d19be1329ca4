import { claim } from "../site/claims.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import { StreetScene } from "../site/street-scene.tsx";

/**
 * The top of a page.
 * @param place a suburb's name, or "NSW" for the whole state
 */
export function Hero({
  place,
  description = "One provider calls. Not five. Tell us once what your lawn or garden needs, and get a free quote.",
  priceFrom = 30,
  phone,
}: {
  place: string;
  description?: string;
  priceFrom?: number;
  phone: string;
}) {
  const proof = [claim("rating"), claim("jobs"), claim("satisfaction")].filter((text) => text !== null);
  return (
    <section className="hero">
      <div className="wrap hero__row">
        <div className="hero__words">
          <h1>{(place === "NSW" && claim("headline")) || `Perfect Lawn Care in ${place}`}</h1>
          <p className="intro">{description}</p>
          <p className="actions">
            <a className="button button--main button--large" href="/get-quote">
              Get Free Quote
            </a>
            <PhoneLink phone={phone} className="button button--quiet button--large">
              Call Now
            </PhoneLink>
          </p>
          <p className="hero__proof">
            <strong>From {formatFromPrice(priceFrom)}</strong>
            {proof.map((text) => (
              <span key={text}>{text}</span>
            ))}
          </p>
        </div>
        <StreetScene />
      </div>
      <div className="street" aria-hidden="true" />
    </section>
  );
}
