import { type PageServiceId, SERVICES } from "../../contract/catalogue.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { priceExamples, SERVICE_LIST } from "../services/services.ts";
import { useClaims } from "../site/site-claims.ts";

/**
 * Shows what each service costs: its smallest and its largest example job. Until an operator stands behind the
 * examples it shows the starting prices alone. On a phone each service is a block with its prices.
 * @param current the service of the page
 */
export function PriceTable({ current }: { current?: PageServiceId }) {
  const hasExamples = useClaims().priceExamples !== null;
  return (
    <table className="price-table">
      {hasExamples && <caption>Prices start from about these. They are examples, not quotes.</caption>}
      <thead>
        <tr>
          <th scope="col">Service</th>
          {hasExamples ? (
            <>
              <th scope="col">A small job</th>
              <th scope="col">A big job</th>
            </>
          ) : (
            <th scope="col">Starting price</th>
          )}
        </tr>
      </thead>
      <tbody>
        {SERVICE_LIST.map((service) => {
          const { id, href, fromDollars } = service;
          const examples = priceExamples(service);
          return (
            <tr key={id} data-current={id === current || undefined}>
              <th scope="row">{id === current ? SERVICES[id] : <a href={href}>{SERVICES[id]}</a>}</th>
              {hasExamples ? (
                [examples[0]!, examples.at(-1)!].map(({ job, dollars }) => (
                  <td key={job}>
                    <span>{job}</span> <strong>{formatFromPrice(dollars)}</strong>
                  </td>
                ))
              ) : (
                <td>from {formatFromPrice(fromDollars)}</td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
