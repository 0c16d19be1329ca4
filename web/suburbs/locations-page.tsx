import type { SuburbListItem } from "../../contract/suburbs.ts";
import { unwrap } from "../lib/api.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import type { DocumentHandle } from "../documents/document-handle.ts";
import { CallToAction } from "../site/call-to-action.tsx";
import { isAsSpecified } from "../site/claims.ts";
import { useClaims } from "../site/site-claims.ts";
import { getCanonicalUrl, pageMeta } from "../site/page-meta.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import type { Route } from "./+types/locations-page.ts";
import {
  groupLocations,
  type LocationGroup,
  type LocationQuery,
  locationsHref,
  matchLocations,
  readLocationQuery,
  type View,
} from "./location-filter.ts";
import { findNearbyCouncils } from "../lib/council-links.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { LocationMap } from "./location-map.tsx";
import mapStyles from "./location-map.css?inline";
import ownStyles from "./locations.css?inline";

/** Other pages do not need these styles, and only the map view needs the map's. */
export const handle: DocumentHandle = {
  sheet: "lean",
  styles: import.meta.env.SSR
    ? (data) =>
        ((data as Route.ComponentProps["loaderData"] | undefined)?.query.view === "map" ? mapStyles : "") +
        ownStyles
    : undefined,
};

/** Loads the suburbs. A council's page lists all its localities; other pages list active suburbs only. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const query = readLocationQuery(new URL(request.url).searchParams);
  const api = context.get(apiContext).api.suburbs;
  const [active, ofCouncil] = await Promise.all([
    unwrap(api.$get({ query: {} })),
    query.council ? unwrap(api.$get({ query: { council: query.council } })) : [],
  ]);
  const council = ofCouncil[0]?.council ?? null;
  const canonical = getCanonicalUrl(request);
  return {
    query,
    council,
    suburbs: active,
    found: matchLocations(council ? ofCouncil : active, query),
    contactPhone: context.get(requestContext).contactPhone,
    // Each council has its own canonical URL. All other queries share the full list's.
    canonical: council ? new URL(locationsHref({ council }), canonical).href : canonical,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  const council = loaderData?.council;
  return pageMeta({
    title: council ? `Lawn and Garden Care, ${council}` : "Lawn and Garden Services by Location in NSW",
    description: council
      ? `Lawn mowing, hedge trimming and garden care in ${council}: ${loaderData.found.length} suburbs and localities, each with its own page. Ask once and one provider calls.`
      : "Find lawn mowing, hedge trimming and garden care in your suburb. Search New South Wales by suburb, postcode or council.",
    canonical: loaderData?.canonical,
  });
}

const VIEW_NAMES = { council: "By Council", alphabetical: "Alphabetical", map: "Map" } as const;

/** Show cards (price and links) up to this many results. A longer list shows names only. */
const MAX_CARDS = 40;

/** Shows the list's filters. They work through the URL alone. */
function Filters({ query, councils }: { query: LocationQuery; councils: readonly string[] }) {
  const { search, state, council, view } = query;
  return (
    <search>
      <form className="location-filters" action="/locations" method="get">
        <TextField
          name="search"
          label="Suburb, postcode or council"
          type="search"
          placeholder="e.g. Manly or 2095"
          maxLength={100}
          enterKeyHint="search"
          defaultValue={search}
        />
        {view !== "council" && <input type="hidden" name="view" value={view} />}
        <button className="button">Search</button>
        <details open={Boolean(state || council)}>
          <summary>State and council</summary>
          <div className="location-filters__more">
            <SelectField
              name="state"
              label="State"
              defaultValue={state || "all"}
              options={[
                { value: "all", label: "All states" },
                { value: "NSW", label: "NSW" },
              ]}
            />
            <SelectField
              name="council"
              label="Council"
              defaultValue={councils.find((name) => name.toLowerCase() === council.toLowerCase()) ?? "all"}
              options={[
                { value: "all", label: "All councils" },
                ...councils.map((name) => ({ value: name, label: name })),
              ]}
            />
          </div>
        </details>
      </form>
    </search>
  );
}

function ViewToggle({ query }: { query: LocationQuery }) {
  return (
    <nav className="toggle" aria-label="Order">
      {(Object.keys(VIEW_NAMES) as View[]).map((view) =>
        view === query.view ? (
          <span key={view} aria-current="true">
            {VIEW_NAMES[view]}
          </span>
        ) : (
          <a key={view} href={`${locationsHref({ ...query, view })}#results`}>
            {VIEW_NAMES[view]}
          </a>
        ),
      )}
    </nav>
  );
}

type Suburb = SuburbListItem;

function LocationCard({ suburb, tel }: { suburb: Suburb; tel: string }) {
  const { slug, name, state, postcode, priceFrom } = suburb;
  const address = new URLSearchParams({ address: `${name} ${state} ${postcode}` });
  return (
    <li className="place">
      <a className="place__name" href={`/location/${slug}`}>
        {name}
      </a>
      <span>{postcode}</span>
      <span className="place__price">From {formatFromPrice(priceFrom)}*</span>
      <p>
        <a href={tel}>Call Now</a>
        <a href={`/get-quote?${address}`} aria-label={`Get Quote in ${name}`}>
          Get Quote
        </a>
      </p>
    </li>
  );
}

/**
 * Shows the suburbs of one council or one letter.
 * @param hasCards whether to show cards instead of names
 * @param href the council's own page
 */
function Group({
  group,
  tel,
  hasCards,
  href,
}: {
  group: LocationGroup<Suburb>;
  tel: string;
  hasCards: boolean;
  href: string | null;
}) {
  const title = href ? <a href={href}>{group.title}</a> : group.title;
  return (
    <section className={hasCards ? "places" : "names"}>
      <h3>{title}</h3>
      <ul>
        {group.suburbs.map((suburb) =>
          hasCards ? (
            <LocationCard key={suburb.slug} suburb={suburb} tel={tel} />
          ) : (
            <li key={suburb.slug}>
              <a href={`/location/${suburb.slug}`}>{suburb.name}</a>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

function CouncilsNear({ council }: { council: string }) {
  const near = findNearbyCouncils(council);
  if (near.length === 0) return null;
  return (
    <section className="wrap locations" aria-labelledby="near-title">
      <div>
        <div className="results-head">
          <h2 id="near-title">Councils nearby</h2>
        </div>
        {near.map(({ council: name, places }) => (
          <section key={name} className="names">
            <h3>
              <a href={locationsHref({ council: name })}>{name}</a>
            </h3>
            <ul>
              {places.map((place) => (
                <li key={place.slug}>
                  <a href={`/location/${place.slug}`}>{place.name}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

export default function LocationsPage({ loaderData }: Route.ComponentProps) {
  const { query, council, found, suburbs, contactPhone } = loaderData;
  const counts = new Map<string, number>();
  for (const { council } of suburbs) counts.set(council, (counts.get(council) ?? 0) + 1);
  // List the chosen council even if it has no places.
  const councils = [...new Set([...counts.keys(), ...(council ? [council] : [])])];
  const tel = `tel:${contactPhone.replaceAll(/\s/g, "")}`;
  const hasCards = found.length <= MAX_CARDS;
  const claims = useClaims();
  const isSpecified = isAsSpecified(claims, "locations");
  return (
    <>
      <section className="wrap page-head">
        <h1>Find your location</h1>
        <p className="intro">
          Lawn mowing and garden care in {isSpecified ? claims.locations : "suburbs"} across New South Wales.
          {!isSpecified && claims.locations && ` ${claims.locations}.`} Look up your suburb, or go straight to
          a quote.
        </p>
        <Filters query={query} councils={councils.toSorted()} />
      </section>
      <div className="wrap locations">
        <section id="results" aria-labelledby="results-title">
          <div className="results-head">
            <h2 id="results-title">
              {found.length === 1 ? "1 matching location" : `${found.length} matching locations`}
            </h2>
            <ViewToggle query={query} />
          </div>
          {found.length === 0 && (
            <p className="intro">
              No matches. Try a shorter search or another council, or{" "}
              <a href="/locations">see all locations</a>.
            </p>
          )}
          {query.view === "map" ? (
            <LocationMap suburbs={found} counts={counts} council={query.council} />
          ) : (
            groupLocations(found, query.view).map((group) => (
              <Group
                key={group.title}
                group={group}
                tel={tel}
                hasCards={hasCards}
                href={
                  query.view === "council" && !query.council ? locationsHref({ council: group.title }) : null
                }
              />
            ))
          )}
          {hasCards && found.length > 0 && (
            <p className="note">* Starting price. The final price depends on the size of your property.</p>
          )}
        </section>
      </div>
      {council && query.view !== "map" && <CouncilsNear council={council} />}
      <CallToAction
        title="Don't See Your Area?"
        text="We cover all of NSW. Ask for a quote or give us a call."
        phone={contactPhone}
      />
    </>
  );
}
