import type { PageServiceId } from "../../contract/catalogue.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import type { JobPrice } from "../../contract/public-figures.ts";
import { formatJobPrice, PRICE_SOURCE } from "../site/claims.ts";
import { priceExamples, serviceOf } from "../services/services.ts";
import { Ticks } from "../site/points.tsx";
import { Section } from "../site/section.tsx";
import { useClaims } from "../site/site-claims.ts";
import { Icon } from "../ui/icon.tsx";
import { PriceTable } from "./price-table.tsx";

/** Shows what a visit includes and excludes. */
export function ServiceScope({ service }: { service: PageServiceId }) {
  const { includes, excludes, duration } = serviceOf(service);
  const isDurationShown = useClaims().durations !== null;
  return (
    <section className="wrap section" aria-labelledby="included">
      <div className="guarantee">
        <div>
          <h2 id="included">What’s included</h2>
          <p>
            {isDurationShown && `A visit usually takes ${duration}. `}Your provider tells you the price before
            they start.
          </p>
        </div>
        <div className="scope">
          <Ticks items={includes} />
          <h3>Not included</h3>
          <ul className="scope__out">
            {excludes.map((item) => (
              <li key={item}>
                <Icon name="close" />
                {item}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

/** Shows example jobs of this service. Until an operator stands behind them it shows the starting price of each service. */
export function ServicePrices({ service }: { service: PageServiceId }) {
  const hasExamples = useClaims().priceExamples !== null;
  return (
    <Section id="prices" title="What it might cost" variant="split">
      <div className="prices">
        {hasExamples ? (
          <table className="price-examples">
            <thead>
              <tr>
                <th scope="col">For example</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {priceExamples(serviceOf(service)).map(({ job, dollars }) => (
                <tr key={job}>
                  <th scope="row">{job}</th>
                  <td>{formatFromPrice(dollars)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <PriceTable current={service} />
        )}
        <p className="note">
          {hasExamples &&
            "These are examples worked out from our starting price, not quotes. Slopes, access and how overgrown it is make a difference too. "}
          Your provider will give you the price for your place.
        </p>
      </div>
    </Section>
  );
}

/** Shows what to do before the provider comes. */
export function ServicePreparation({ service }: { service: PageServiceId }) {
  return (
    <Section id="prepare" title="Before your provider comes" variant="split">
      <Ticks items={serviceOf(service).prepare} />
    </Section>
  );
}

/** Shows what customers agreed to pay, by council. Renders nothing without a council with enough jobs. */
export function PaidPrices({ prices }: { prices: readonly JobPrice[] }) {
  const isShown = useClaims().jobPrices !== null;
  const [first] = prices;
  if (!isShown || !first) return null;
  return (
    <Section id="paid" title="What customers have agreed to pay" variant="split">
      <div>
        <table className="price-examples">
          <thead>
            <tr>
              <th scope="col">Council</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {prices.map((price) => (
              <tr key={price.council}>
                <th scope="row">{price.council}</th>
                <td>{formatJobPrice(price)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="note">{PRICE_SOURCE}</p>
      </div>
    </Section>
  );
}
