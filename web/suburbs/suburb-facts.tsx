import { serviceName } from "../../contract/catalogue.ts";
import type { SuburbDetail, SuburbRecords } from "../../contract/suburbs.ts";
import { regionName } from "../../contract/regions.ts";
import { isAsSpecified } from "../site/claims.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { useClaims } from "../site/site-claims.ts";
import { getAreaName } from "./council-area.ts";
import { describeDistance } from "./describe-distance.ts";
import { locationsHref } from "./location-filter.ts";

const OPENING_HOURS = "Mon-Fri 8:00 AM-5:00 PM, Saturday 8:00 AM-2:00 PM, Sunday closed";

/** Shows where and when we work, and our services. */
export function SuburbLocalInformation({ suburb }: { suburb: SuburbDetail }) {
  return (
    <div>
      <h2>Local information</h2>
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
          <dd>Residential, commercial and strata properties</dd>
        </div>
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

/** Shows how soon a provider calls: what we promise, and what our records say where there are enough cases. */
export function SuburbSpeed({ records }: { records: SuburbRecords }) {
  const claims = useClaims();
  const { requestsAMonth, medianCallHours, mostAskedFor, regionCall } = records;
  const promise = isAsSpecified(claims, "connected")
    ? "We connect you with a provider within 24 hours."
    : `The provider who takes your request calls you. ${claims.connected ? `${claims.connected}.` : ""}`;
  const facts = [
    requestsAMonth && `About ${requestsAMonth} requests a month come from here.`,
    mostAskedFor && `Most requested: ${serviceName(mostAskedFor)}.`,
    medianCallHours &&
      `Half of all calls came within ${medianCallHours === 1 ? "an hour" : `${medianCallHours} hours`}.`,
    regionCall &&
      `Half of all customers in ${regionName(regionCall.region)} were called within ${formatMinutes(regionCall.medianMinutes)} of a provider taking the job, counting only 7 am to 8 pm and leaving out public holidays.`,
  ].filter((fact) => typeof fact === "string");
  return (
    <div className="suburb-speed">
      <h3>How soon a provider calls</h3>
      <p>{promise}</p>
      {facts.length > 0 && <p>{facts.join(" ")} Our records of the last 90 days.</p>}
    </div>
  );
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
      <h2>Location and contact</h2>
      <dl className="suburb-facts">
        <div>
          <dt>Suburb</dt>
          <dd>
            {[`${suburb.name} ${suburb.state} ${suburb.postcode}`, describeDistance(suburb)]
              .filter(Boolean)
              .join(", ")}
          </dd>
        </div>
        <div>
          <dt>Council</dt>
          <dd>
            <a href={locationsHref({ council: suburb.council })}>{suburb.council}</a>
          </dd>
        </div>
        {suburb.address && (
          <div>
            <dt>Address</dt>
            <dd>{suburb.address}</dd>
          </div>
        )}
        <div>
          <dt>Contact</dt>
          <dd>
            <PhoneLink phone={phone} /> <a href={`mailto:${email}`}>{email}</a>
          </dd>
        </div>
      </dl>
    </div>
  );
}
