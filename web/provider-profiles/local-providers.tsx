import { nameOfCheck } from "../../contract/checks.ts";
import type { LocalProvider } from "../../contract/profiles.ts";
import { LOW_STANDING_MIN_LEADS } from "../../contract/standing.ts";
import { formatMean } from "../../contract/reviews.ts";
import { Section } from "../site/section.tsx";
import { BusinessLogo } from "./profile-view.tsx";

/** @param here the suburb of the page */
function Provider({ provider, here }: { provider: LocalProvider; here: string }) {
  const { slug, name, logo, suburb, distanceKm, checks, rating, calls } = provider;
  return (
    <li className="local-provider">
      <BusinessLogo name={name} logo={logo} />
      <div>
        <a href={`/provider/${slug}`}>{name}</a>
        {suburb !== null && distanceKm !== null && (
          <p>
            Based in {suburb}
            {suburb !== here && <>, {distanceKm < 1 ? "less than 1" : Math.round(distanceKm)}&nbsp;km away</>}
          </p>
        )}
        <p>{checks.length > 0 ? `We’ve checked: ${checks.map(nameOfCheck).join(", ")}` : "No checks yet"}</p>
        {rating && <p>{formatMean(rating)}</p>}
        {calls && calls.counted >= LOW_STANDING_MIN_LEADS && (
          <p>
            Called {calls.inTime} of {calls.counted} customers in time
          </p>
        )}
      </div>
    </li>
  );
}

/** Shows businesses with a page that work in a suburb, and links to the rules of their order. */
export function LocalProviders({
  suburb,
  providers,
}: {
  suburb: string;
  providers: readonly LocalProvider[];
}) {
  if (providers.length === 0) return null;
  return (
    <Section id="local-providers" title={`Providers who work in ${suburb}`}>
      <ul className="local-providers">
        {providers.map((provider) => (
          <Provider key={provider.slug} provider={provider} here={suburb} />
        ))}
      </ul>
      <p className="note">
        Providers who usually call in time come first, then new ones. In each group the nearest comes first.{" "}
        <a href="/how-it-works#listed">How we choose</a>. If you ask for a quote, the first provider to take
        your request calls you, listed here or not.
      </p>
    </Section>
  );
}
