import { type PageServiceId, priceExamples, SERVICE_PRICES, serviceName } from "../../contract/catalogue.ts";
import type { JobPrice } from "../../contract/public-figures.ts";
import type { SuburbDetail } from "../../contract/suburbs.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { formatJobPrice, PRICE_SOURCE } from "../site/claims.ts";
import { SERVICE_LINKS } from "../site/service-links.ts";
import { useClaims } from "../site/site-claims.ts";
import { getAreaName } from "./council-area.ts";

/** Returns the price of a service's largest example. Only for services that have examples. */
function highestExample(id: PageServiceId): number {
  return priceExamples(id).at(-1)!.dollars;
}

/** Shows what each service costs, what mowing costs by size, and what jobs in the council have cost. */
export function SuburbPrices({ suburb, prices }: { suburb: SuburbDetail; prices: readonly JobPrice[] }) {
  const claims = useClaims();
  return (
    <div className="suburb-prices">
      <h2 id="prices">What it costs in {suburb.name}</h2>
      <ul>
        {SERVICE_LINKS.map(({ id, href, name }) => (
          <li key={id}>
            <a href={href}>{name}</a>
            <strong>
              From {formatFromPrice(id === "lawn_mowing" ? suburb.priceFrom : SERVICE_PRICES[id].fromDollars)}
              {claims.priceExamples && ` to ${formatFromPrice(highestExample(id))}`}
            </strong>
          </li>
        ))}
      </ul>
      {claims.priceExamples && (
        <p>
          Mowing by size:{" "}
          {priceExamples("lawn_mowing").map(({ job, dollars }, i) => (
            <span key={job}>
              {i > 0 && ", "}
              {job.replace(/^.*block (?:of )?/, "")} {formatFromPrice(dollars)}
            </span>
          ))}
          .
        </p>
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
