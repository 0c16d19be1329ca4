import { serviceName } from "../../contract/catalogue.ts";
import type { JobPrice } from "../../contract/public-figures.ts";
import type { SuburbDetail } from "../../contract/suburbs.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { formatJobPrice, PRICE_SOURCE } from "../site/claims.ts";
import { lawnMowing } from "../services/lawn-mowing.ts";
import type { Service } from "../services/service.ts";
import { priceExamples, SERVICE_LIST } from "../services/services.ts";
import { useClaims } from "../site/site-claims.ts";
import { getAreaName } from "./council-area.ts";

/** Shows a service's prices: from the smallest example, to the largest. */
function PriceRange({ service, from }: { service: Service; from: number }) {
  const highest = priceExamples(service, from).at(-1)!.dollars;
  return (
    <strong>
      {useClaims().priceExamples
        ? `${formatFromPrice(from)} to ${formatFromPrice(highest)}`
        : `From ${formatFromPrice(from)}`}
    </strong>
  );
}

/** Shows what each service costs, what mowing costs by size, and what jobs in the council have cost. */
export function SuburbPrices({ suburb, prices }: { suburb: SuburbDetail; prices: readonly JobPrice[] }) {
  const claims = useClaims();
  return (
    <div className="suburb-prices">
      <h2 id="prices">What it costs in {suburb.name}</h2>
      <ul>
        {SERVICE_LIST.map((service) => (
          <li key={service.id}>
            <a href={service.href}>{service.name}</a>
            <PriceRange
              service={service}
              from={service === lawnMowing ? suburb.priceFrom : service.fromDollars}
            />
          </li>
        ))}
      </ul>
      {claims.priceExamples && (
        <div>
          <h3>Mowing by block size</h3>
          <ul className="suburb-prices__sizes">
            {priceExamples(lawnMowing, suburb.priceFrom).map(({ job, dollars }) => (
              <li key={job}>
                {job.replace(/^.*block (?:of )?/, "")} <strong>{formatFromPrice(dollars)}</strong>
              </li>
            ))}
          </ul>
        </div>
      )}
      {claims.jobPrices && prices.length > 0 && (
        <div>
          <h3>What customers have agreed to pay in {getAreaName(suburb.council)}</h3>
          <ul className="suburb-prices__paid">
            {prices.map((price) => (
              <li key={price.service}>
                {serviceName(price.service)}: {formatJobPrice(price)}
              </li>
            ))}
          </ul>
          <p className="note">{PRICE_SOURCE}</p>
        </div>
      )}
    </div>
  );
}
