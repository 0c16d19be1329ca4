import { telHref } from "../../contract/phone.ts";
import { redirect } from "react-router";

import type { SuburbListItem } from "../../contract/suburbs.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import type { DocumentHandle } from "../documents/document-handle.ts";
import { CallToAction } from "../site/call-to-action.tsx";
import { isAsSpecified } from "../site/claims.ts";
import { useClaims } from "../site/site-claims.ts";
import { getCanonicalUrl, pageMeta } from "../site/page-meta.ts";
import { sharePicture } from "../site/share-cards.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import type { Route } from "./+types/locations-page.ts";
import {
  findCouncil,
  groupLocations,
  type LocationQuery,
  locationsHref,
  matchLocations,
  readLocationQuery,
  type View,
} from "./location-filter.ts";
import { findNearbyCouncils } from "../lib/council-links.ts";
import { DRAWINGS } from "../lib/council-outlines.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { findTappedCouncil, OverviewMap, PlaceMap } from "./location-map.tsx";
import ownStyles from "./locations.css?inline";

/** Other pages do not need these styles. */
export const handle: DocumentHandle = {
  sheet: "lean",
  styles: import.meta.env.SSR ? () => ownStyles : undefined,
};

/** Finds localities that the lists omit: inactive ones, and those with a different official name. Each has a page. */
async function findUnlisted(api: ApiClient["api"]["suburbs"], search: string): Promise<SuburbListItem[]> {
  const suggested = await unwrap(api.suggest.$get({ query: { q: search } }));
  const councils = [...new Set(suggested.map(({ council }) => council))];
  const lists = await Promise.all(councils.map((council) => unwrap(api.$get({ query: { council } }))));
  const isSuggested = ({ name, postcode }: SuburbListItem) =>
    suggested.some((one) => one.name === name && one.postcode === postcode);
  return lists.flat().filter(isSuggested);
}

/** Reads the query, with the council's full name. The page searches for a council that it does not know. */
function readQuery(parameters: URLSearchParams): { query: LocationQuery; isUnknownCouncil: boolean } {
  const query = readLocationQuery(parameters);
  const council = query.council && findCouncil(query.council, COUNCIL_NAMES);
  if (council !== undefined) return { query: { ...query, council }, isUnknownCouncil: false };
  return {
    query: { ...query, council: "", search: query.search || query.council },
    isUnknownCouncil: true,
  };
}

/** Loads the suburbs. A council's page lists all its localities; other pages list active suburbs only. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const parameters = new URL(request.url).searchParams;
  const tapped = findTappedCouncil(parameters.get("map"));
  if (tapped) throw redirect(locationsHref({ council: tapped }));
  const { query, isUnknownCouncil } = readQuery(parameters);
  const api = context.get(apiContext).api.suburbs;
  const [active, ofCouncil] = await Promise.all([
    unwrap(api.$get({ query: {} })),
    query.council ? unwrap(api.$get({ query: { council: query.council } })) : [],
  ]);
  const council = ofCouncil[0]?.council ?? null;
  const listed = matchLocations(council ? ofCouncil : active, query);
  const isUnknown = listed.length === 0 && query.search !== "" && !query.council;
  const canonical = getCanonicalUrl(request);
  return {
    query,
    council,
    isUnknownCouncil,
    isOffMap: parameters.has("map"),
    suburbs: active,
    found: isUnknown ? await findUnlisted(api, query.search) : listed,
    contactPhone: context.get(requestContext).contactPhone,
    // Each council has its own canonical URL. All other queries share the full list's.
    canonical: council ? new URL(locationsHref({ council }), canonical).href : canonical,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  const council = loaderData?.council;
  return pageMeta({
    title: council ? `Lawn and Garden Care, ${council}` : "Find Lawn and Garden Care in Your Suburb",
    description: council
      ? `${council}: ${loaderData.found.length} suburbs and localities, each with a page about lawn and garden care there. Ask once, and one provider calls.`
      : "Search New South Wales by suburb, postcode or council, or tap the map. Each suburb has a page with its prices and what to know about its lawns.",
    canonical: loaderData?.canonical,
    picture: sharePicture("locations"),
  });
}

const VIEW_NAMES = { council: "By Council", alphabetical: "Alphabetical" } as const;

/** Maximum cards (price and links) on a page. A longer search shows names only, a council its largest places. */
const MAX_CARDS = 24;

/** Places shown for each council in the full list: the largest. */
const LARGEST = 3;

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
        <button className="button button--main">Search</button>
        <details className="opener" open={Boolean(state || council)}>
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
              defaultValue={council || "all"}
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
type Place = Pick<Suburb, "slug" | "name">;

function LocationCard({ suburb, tel }: { suburb: Suburb; tel: string | undefined }) {
  const { slug, name, state, postcode, priceFrom } = suburb;
  const address = new URLSearchParams({ address: `${name} ${state} ${postcode}` });
  return (
    <li className="place" id={slug}>
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

function Names({ places }: { places: readonly { slug: string; name: string }[] }) {
  return places.map(({ slug, name }) => (
    <a key={slug} href={`/location/${slug}`}>
      {name}
    </a>
  ));
}

/** Shows councils in columns, each with its largest places. Its own page lists all its localities. */
function Councils({ groups }: { groups: readonly { title: string; suburbs: readonly Place[] }[] }) {
  return (
    <ul className="councils">
      {groups.map(({ title, suburbs }) => {
        const href = locationsHref({ council: title });
        return (
          <li key={title}>
            <h3>
              <a href={href}>{title}</a>
            </h3>
            <Names places={suburbs.slice(0, LARGEST)} />
            {suburbs.length > LARGEST && <a href={href}>All places</a>}
          </li>
        );
      })}
    </ul>
  );
}

/** Shows the suburbs of one letter, or of a council with many. */
function NameList({ title, places }: { title: string; places: readonly Place[] }) {
  return (
    <section className="names">
      <h3>{title}</h3>
      <p>
        <Names places={places} />
      </p>
    </section>
  );
}

const COUNCIL_NAMES = [
  ...new Set(Object.values(DRAWINGS).flatMap(({ councils }) => councils.map(({ name }) => name))),
].toSorted();

/** Links the councils in which no suburb is active. All their localities have pages. */
function OtherCouncils({ listed }: { listed: ReadonlySet<string> }) {
  const others = COUNCIL_NAMES.filter((name) => !listed.has(name));
  return (
    <details className="names opener">
      <summary>More councils</summary>
      <p>
        {others.map((name) => (
          <a key={name} href={locationsHref({ council: name })}>
            {name}
          </a>
        ))}
      </p>
    </details>
  );
}

function CouncilsNear({ council }: { council: string }) {
  const near = findNearbyCouncils(council);
  if (near.length === 0) return null;
  return (
    <section className="wrap locations" aria-labelledby="near-title">
      <h2 id="near-title">Councils nearby</h2>
      <Councils groups={near.map(({ council: title, places }) => ({ title, suburbs: places }))} />
    </section>
  );
}

/** Shows the matching suburbs as cards. After the largest of a council it shows names. */
function Cards({
  found,
  query,
  tel,
}: {
  found: readonly Suburb[];
  query: LocationQuery;
  tel: string | undefined;
}) {
  const others = found.slice(MAX_CARDS);
  return (
    <>
      {groupLocations(found.slice(0, MAX_CARDS), query.view).map(({ title, suburbs }) => (
        <section key={title} className="places">
          <h3>
            {query.view === "council" && !query.council ? (
              <a href={locationsHref({ council: title })}>{title}</a>
            ) : (
              title
            )}
          </h3>
          <ul>
            {suburbs.map((suburb) => (
              <LocationCard key={suburb.slug} suburb={suburb} tel={tel} />
            ))}
          </ul>
        </section>
      ))}
      {others.length > 0 && <NameList title="Smaller places" places={others} />}
      <p className="note">* Starting price. The final price depends on the size of your property.</p>
    </>
  );
}

export default function LocationsPage({ loaderData }: Route.ComponentProps) {
  const { query, council, isUnknownCouncil, isOffMap, found, suburbs, contactPhone } = loaderData;
  const active = new Set(suburbs.map(({ council }) => council));
  // Offer the chosen council even if it has no active suburb.
  const councils = [...new Set([...active, ...(council ? [council] : [])])].toSorted();
  const tel = telHref(contactPhone);
  const hasCards = found.length > 0 && (council !== null || found.length <= MAX_CARDS);
  const isByCouncil = query.view === "council";
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
        {isUnknownCouncil && <p>We don’t know that council, so we searched for it instead.</p>}
        {isOffMap && <p>You tapped outside NSW. Tap the map again, or search for your suburb.</p>}
        <div className="finder">
          <Filters query={query} councils={councils} />
          <details className="opener">
            <summary>Map</summary>
            {hasCards ? (
              <PlaceMap places={found.slice(0, MAX_CARDS)} isPart={found.length > MAX_CARDS} />
            ) : (
              <OverviewMap />
            )}
          </details>
        </div>
      </section>
      <section className="wrap locations" id="results" aria-labelledby="results-title">
        <div className="results-head">
          <h2 id="results-title">
            {found.length === 1 ? "1 matching location" : `${found.length} matching locations`}
          </h2>
          <ViewToggle query={query} />
        </div>
        {found.length === 0 && (
          <p className="intro">
            No matches. Try a shorter search or another council, or <a href="/locations">see all locations</a>
            .
          </p>
        )}
        {hasCards && <Cards found={found} query={query} tel={tel} />}
        {!hasCards && isByCouncil && <Councils groups={groupLocations(found, query.view)} />}
        {!hasCards &&
          !isByCouncil &&
          groupLocations(found, query.view).map((group) => (
            <NameList key={group.title} title={group.title} places={group.suburbs} />
          ))}
        {!hasCards && isByCouncil && !query.search && <OtherCouncils listed={active} />}
      </section>
      {council && <CouncilsNear council={council} />}
      <CallToAction
        title="Don't See Your Area?"
        text="We cover all of NSW. Ask for a quote or give us a call."
        phone={contactPhone}
      />
    </>
  );
}
