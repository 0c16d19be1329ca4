import { type PageServiceId, priceExamples, SERVICE_PRICES, SERVICES } from "../../contract/catalogue.ts";
import { label } from "../../contract/lead-labels.ts";
import { PROPERTY_SIZES } from "../../contract/leads.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { SERVICE_LINKS } from "../site/service-links.ts";
import { useClaims } from "../site/site-claims.ts";

/** Property sizes with their area: "Small", "under 300m²". */
const SIZES = PROPERTY_SIZES.map((size) => {
  const [name, area] = label(size).split(/ \(|\)/);
  return { name: name!, area: area! };
});

/**
 * Shows what each service costs by property size: one example job for each size. Until an operator stands behind the
 * examples it shows the starting prices alone. On a phone each service is a block with its prices.
 * @param current the service of the page
 */
export function PriceTable({ current }: { current?: PageServiceId }) {
  const hasExamples = useClaims().priceExamples !== null;
  return (
    <table className="price-table">
      {hasExamples && <caption>From about, by property size</caption>}
      <thead>
        <tr>
          <th scope="col">Service</th>
          {hasExamples ? (
            SIZES.map(({ name, area }) => (
              <th key={name} scope="col">
                {name} <span>({area})</span>
              </th>
            ))
          ) : (
            <th scope="col">Starting price</th>
          )}
        </tr>
      </thead>
      <tbody>
        {SERVICE_LINKS.map(({ id, href }) => (
          <tr key={id} data-current={id === current || undefined}>
            <th scope="row">{id === current ? SERVICES[id] : <a href={href}>{SERVICES[id]}</a>}</th>
            {hasExamples ? (
              priceExamples(id).map(({ job, dollars }, i) => (
                <td key={job}>
                  <span className="price-table__size">{SIZES[i]!.name}</span>
                  <strong>{formatFromPrice(dollars)}</strong>
                </td>
              ))
            ) : (
              <td>from {formatFromPrice(SERVICE_PRICES[id].fromDollars)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
