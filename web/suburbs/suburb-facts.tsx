import { serviceName } from "../../contract/catalogue.ts";
import type { JobPrice } from "../../contract/public-figures.ts";
import type { SuburbDetail, SuburbRecords } from "../../contract/suburbs.ts";
import { regionName } from "../../contract/regions.ts";
import { formatJobPrice, PRICE_SOURCE } from "../site/claims.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { useClaims } from "../site/site-claims.ts";
import { getAreaName } from "./council-area.ts";
import { locationsHref } from "./location-filter.ts";
import { Icon } from "../ui/icon.tsx";

const OPENING_HOURS = "Mon-Fri 8:00 AM-5:00 PM, Saturday 8:00 AM-2:00 PM, Sunday closed";

/** Shows where and when we work, and our services. */
export function SuburbLocalInformation({
  suburb,
  records,
  prices,
}: {
  suburb: SuburbDetail;
  records: SuburbRecords;
  prices: readonly JobPrice[];
}) {
  const isPriceShown = useClaims().jobPrices !== null;
  return (
    <div>
      <div className="section__head">
        <h2>Local information</h2>
      </div>
      <dl className="suburb-facts">
        <div>
          <dt>Coverage</dt>
          <dd>
            {suburb.name} and the rest of {getAreaName(suburb.council)}
          </dd>
        </div>
        <div>
          <dt>Operating hours</dt>
          <dd>{suburb.openingHours ?? OPENING_HOURS}</dd>
        </div>
        <div>
          <dt>Service types</dt>
          <dd>Residential, commercial and strata properties; one-off, weekly, fortnightly or monthly</dd>
        </div>
        <Records {...records} />
        {isPriceShown && prices.length > 0 && (
          <div>
            <dt>What jobs cost in {getAreaName(suburb.council)}</dt>
            {prices.map((price) => (
              <dd key={price.service}>
                {serviceName(price.service)}: {formatJobPrice(price)}
              </dd>
            ))}
            <dd className="note">{PRICE_SOURCE}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}

/** Formats minutes as words, in steps that do not claim more precision than the figure has. */
function formatMinutes(minutes: number): string {
  if (minutes <= 50) return `${Math.ceil(minutes / 10) * 10} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? "an hour" : `${hours} hours`;
}

/** Shows our own statistics, where there are enough cases. */
function Records({ requestsAMonth, medianCallHours, mostAskedFor, regionCall }: SuburbRecords) {
  const facts = [
    requestsAMonth && ["Requests from here", `About ${requestsAMonth} a month`],
    mostAskedFor && ["Most requested", serviceName(mostAskedFor)],
    medianCallHours && [
      "Time to first call",
      `Half of all calls came within ${medianCallHours === 1 ? "an hour" : `${medianCallHours} hours`}`,
    ],
    regionCall && [
      `Time to call in ${regionName(regionCall.region)}`,
      `Half of all customers were called within ${formatMinutes(regionCall.medianMinutes)} of a provider taking the job, counting 7 am to 8 pm`,
    ],
  ].filter((fact) => Array.isArray(fact));
  return facts.map(([term, fact]) => (
    <div key={term}>
      <dt>{term} (our records, last 90 days)</dt>
      <dd>{fact}</dd>
    </div>
  ));
}

/** Shows the suburb, its council, and how to contact us. */
export function SuburbContact({
  suburb,
  phone,
  email,
}: {
  suburb: SuburbDetail;
  phone: string;
  email: string;
}) {
  return (
    <div>
      <div className="section__head">
        <h2>Location and contact</h2>
      </div>
      <dl className="suburb-facts">
        <div>
          <dt>Suburb</dt>
          <dd>
            {suburb.name} {suburb.state} {suburb.postcode}
          </dd>
        </div>
        <div>
          <dt>Council</dt>
          <dd>
            <a href={locationsHref({ council: suburb.council })}>{suburb.council}</a>
          </dd>
        </div>
        <div>
          <dt>Council services</dt>
          <dd>
            {suburb.council.startsWith("Unincorporated")
              ? "There's no council here. Ask the NSW Environment Protection Authority."
              : `For green bins, street trees and nature strips, contact ${suburb.council}. See the `}
            {!suburb.council.startsWith("Unincorporated") && (
              <>
                <a href="https://www.olg.nsw.gov.au/public/find-my-council/">state’s list of councils</a>.
              </>
            )}
          </dd>
        </div>
        {suburb.address && (
          <div>
            <dt>Address</dt>
            <dd>{suburb.address}</dd>
          </div>
        )}
        <div>
          <dt>Phone</dt>
          <dd>
            <PhoneLink phone={phone} />
          </dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${email}`}>
              <Icon name="mail" size={20} />
              {email}
            </a>
          </dd>
        </div>
      </dl>
    </div>
  );
}
