import { describeLegalEntity, type LegalEntity } from "../../contract/legal-entity.ts";
import { Icon } from "../ui/icon.tsx";
import { Logo } from "./logo.tsx";
import { PhoneLink } from "./phone-link.tsx";
import { SERVICE_LIST } from "../services/services.ts";

/** A few large suburbs. The full list is on /locations. */
const LOCATIONS = [
  { slug: "blacktown", name: "Blacktown" },
  { slug: "castle-hill", name: "Castle Hill" },
  { slug: "dee-why", name: "Dee Why" },
  { slug: "parramatta", name: "Parramatta" },
  { slug: "randwick", name: "Randwick" },
] as const;

/**
 * Shows the footer of every document, above the kerb.
 * @param isDemo whether the pages make the specification's claims, proved or not
 */
export function SiteFooter({
  phone,
  email,
  legalEntity,
  isDemo,
}: {
  phone: string;
  email: string;
  legalEntity: LegalEntity;
  isDemo: boolean;
}) {
  return (
    <footer className="footer">
      <div className="street" aria-hidden="true" />
      <div className="wrap footer__columns">
        <div>
          <Logo />
          <p>Lawn and garden quotes from independent providers across New South Wales.</p>
          <p className="footer__contact">
            <PhoneLink phone={phone} />
            <a href={`mailto:${email}`}>
              <Icon name="mail" size={20} />
              {email}
            </a>
          </p>
        </div>
        <nav aria-label="Our services">
          <h2>Services</h2>
          <ul>
            {SERVICE_LIST.map((service) => (
              <li key={service.href}>
                <a href={service.href}>{service.name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-label="Locations">
          <h2>Locations</h2>
          <ul>
            {LOCATIONS.map((suburb) => (
              <li key={suburb.slug}>
                <a href={`/location/${suburb.slug}`}>{suburb.name}</a>
              </li>
            ))}
            <li>
              <a href="/locations">All Locations</a>
            </li>
          </ul>
        </nav>
        <nav aria-label="For providers">
          <h2>Providers</h2>
          <ul>
            <li>
              <a href="/providers">Provider Benefits</a>
            </li>
            <li>
              <a href="/login">Provider Sign In</a>
            </li>
            <li>
              <a href="/provider-signup">Join Our Network</a>
            </li>
          </ul>
        </nav>
      </div>
      <div className="wrap footer__small">
        <p>
          <a href="/how-it-works">How It Works and What It Costs</a>
          <a href="/my-requests">Your Requests</a>
          <a href="/reviews">How Reviews Work</a>
          <a href="/privacy-policy">Privacy Policy</a>
          <a href="/terms-conditions">Terms &amp; Conditions</a>
        </p>
        {isDemo && <p>This is a demo. Its figures and reviews are samples.</p>}
        <p>Naturestrip is run by {describeLegalEntity(legalEntity)}.</p>
        <p>
          Suburb names and postcodes © State of New South Wales (Spatial Services). Councils and regions based
          on Australian Bureau of Statistics data. Some coordinates from GeoNames. All used under{" "}
          <a href="https://creativecommons.org/licenses/by/4.0/" rel="license noopener">
            CC BY 4.0
          </a>
          , modified.
        </p>
      </div>
    </footer>
  );
}
