import type { LocalProvider } from "../../contract/profiles.ts";
import { LOW_STANDING_MIN_LEADS, LOW_STANDING_SHARE, STANDING_DAYS } from "../../contract/standing.ts";
import { formatMean } from "../reviews/review-list.tsx";
import { Section } from "../site/section.tsx";
import { BusinessLogo } from "./profile-view.tsx";

function Provider({ provider }: { provider: LocalProvider }) {
  const { slug, name, logo, suburb, distanceKm, rating, calls } = provider;
  return (
    <li className="local-provider">
      <BusinessLogo name={name} logo={logo} />
      <div>
        <a href={`/provider/${slug}`}>{name}</a>
        {suburb !== null && distanceKm !== null && (
          <p>
            Based in {suburb}, {distanceKm < 1 ? "less than 1" : Math.round(distanceKm)} km away
          </p>
        )}
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

/** Shows businesses with a page that work in a suburb, and explains their order. */
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
          <Provider key={provider.slug} provider={provider} />
        ))}
      </ul>
      <p className="note">
        We list up to three providers. We’ve checked their ABN, or they’ve paid for a request. Providers come
        first if they called at least {LOW_STANDING_SHARE * 100}% of their customers in time in the last{" "}
        {STANDING_DAYS} days. Providers with fewer than {LOW_STANDING_MIN_LEADS} jobs come next, then the
        rest. In each group the nearest comes first. Providers can’t pay for a better place. If you ask for a
        quote, the first provider to take your request calls you, listed here or not.
      </p>
    </Section>
  );
}
