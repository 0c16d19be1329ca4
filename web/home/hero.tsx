import type { ReactNode } from "react";

import { HowItWorksLink } from "../site/how-it-works-link.tsx";
import { PhoneLink } from "../site/phone-link.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import { useClaims } from "../site/site-claims.ts";
import { Scene } from "../site/scenes/scene.tsx";

/**
 * Shows the top of a page.
 * @param place a suburb's name, or "NSW" for the whole state
 * @param search the first field: an address or postcode
 */
export function Hero({
  place,
  description = "Tell us once. Get one free quote.",
  priceFrom = 30,
  phone,
  search,
}: {
  place: string;
  description?: string;
  priceFrom?: number;
  phone: string;
  search: ReactNode;
}) {
  const claims = useClaims();
  const proof = [claims.rating, claims.jobs, claims.satisfaction, claims.foundWithin].filter(
    (text) => text !== null,
  );
  return (
    <section className="hero">
      <div className="wrap hero__row">
        <div className="hero__words">
          <h1>{(place === "NSW" && claims.headline) || `Perfect Lawn Care in ${place}`}</h1>
          <p className="intro">
            <strong className="hero__lead">One provider calls. Not five.</strong> {description}
          </p>
          {search}
          <p className="actions">
            <a className="button button--main" href="/get-quote">
              Get Free Quote
            </a>
            <PhoneLink phone={phone} className="button button--quiet">
              Call Now
            </PhoneLink>
            <a className="button button--quiet hero__all" href="/locations">
              View All Locations
            </a>
          </p>
          <p className="hero__proof">
            <strong>From {formatFromPrice(priceFrom)}</strong>
            {proof.map((text) => (
              <span key={text}>{text}</span>
            ))}
          </p>
          <p className="note">
            <HowItWorksLink />
          </p>
        </div>
        <Scene name="suburb" />
      </div>
    </section>
  );
}
