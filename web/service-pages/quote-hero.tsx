import type { ReactNode } from "react";

import type { PageServiceId } from "../../contract/catalogue.ts";
import { Island } from "../documents/island.tsx";
import type { FormChallenge } from "../documents/use-challenge.ts";
import { BLANK_FORM, type FormState } from "../documents/form-state.ts";
import SimpleQuoteForm from "../quotes/simple-quote-form.island.tsx";
import { PhoneLink } from "../site/phone-link.tsx";
import { Scene } from "../site/scenes/scene.tsx";
import { useClaims } from "../site/site-claims.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { MapsSource } from "../addresses/address-source.ts";

/** Shows what to expect, in a few words each. */
function Badges() {
  const claims = useClaims();
  const badges: { icon: IconName; text: string }[] = [
    { icon: "badge", text: claims.insured ?? "Independent local providers" },
    { icon: "clock", text: claims.sameDay ?? "One form, one call" },
    { icon: "star", text: claims.guarantee ?? "No deal until you say yes" },
    { icon: "coin", text: claims.noHiddenFees ?? "A quote before work starts" },
  ];
  return (
    <ul className="badges">
      {badges.map((badge) => (
        <li key={badge.text}>
          <Icon name={badge.icon} />
          {badge.text}
        </li>
      ))}
    </ul>
  );
}

/**
 * Shows the top of a service page: title, phone number and a short quote form.
 * @param service the page's service; null if visitors choose services in the form
 * @param action path of the page, which handles the form
 * @param answered the values of an earlier attempt, with their errors
 * @param above content above the title
 */
export function QuoteHero({
  title,
  text,
  phone,
  maps,
  challenge,
  service,
  action,
  answered = BLANK_FORM,
  above,
}: {
  title: string;
  text: string;
  phone: string;
  maps: MapsSource | null;
  challenge: FormChallenge | undefined;
  service: PageServiceId | null;
  action: string;
  answered?: FormState | undefined;
  above?: ReactNode;
}) {
  return (
    <section className="hero hero--form">
      <div className="wrap hero__row">
        <div className="hero__words">
          {above}
          <h1>{title}</h1>
          <p className="intro">{text}</p>
          <p className="actions">
            <PhoneLink phone={phone} className="button button--quiet button--large" />
          </p>
          <Badges />
        </div>
        <div className="form-card">
          <h2>Get a free quote</h2>
          <Island
            file="quotes/simple-quote-form.island.tsx"
            component={SimpleQuoteForm}
            when="touch"
            props={{ ...answered, service, action, maps, challenge }}
          />
        </div>
        <Scene name={service ?? "lawn_mowing"} isLate />
      </div>
    </section>
  );
}
