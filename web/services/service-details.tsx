import { priceExamples, type PageServiceId, SERVICE_PRICES } from "../../contract/catalogue.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { getClaimText } from "../site/claims.ts";
import { Ticks } from "../site/points.tsx";
import { Section } from "../site/section.tsx";
import { Icon } from "../ui/icon.tsx";
import { ServiceDrawing } from "./service-drawing.tsx";
import { SERVICE_TEXTS } from "./service-texts.ts";

/** Shows what a visit includes and excludes. */
export function ServiceScope({ service }: { service: PageServiceId }) {
  const { includes, excludes } = SERVICE_TEXTS[service];
  return (
    <section className="wrap section" aria-labelledby="included">
      <div className="guarantee">
        <div>
          <h2 id="included">What’s included</h2>
          <p>
            A visit usually takes {SERVICE_PRICES[service].duration}. Your provider tells you the price before
            they start.
          </p>
          <ServiceDrawing service={service} />
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

/** Shows example prices by job size. Renders nothing until an operator stands behind the examples. */
export function ServicePrices({ service }: { service: PageServiceId }) {
  if (!getClaimText("priceExamples")) return null;
  return (
    <Section id="prices" title="What it might cost" variant="split">
      <div>
        <table className="price-examples">
          <thead>
            <tr>
              <th scope="col">For example</th>
              <th scope="col">From about</th>
            </tr>
          </thead>
          <tbody>
            {priceExamples(service).map(({ job, dollars }) => (
              <tr key={job}>
                <th scope="row">{job}</th>
                <td>{formatFromPrice(dollars)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="note">
          These are examples worked out from our starting price, not quotes. Slopes, access and how overgrown
          it is make a difference too. Your provider will give you the price for your place.
        </p>
      </div>
    </Section>
  );
}
