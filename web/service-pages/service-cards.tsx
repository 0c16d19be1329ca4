import { SERVICES } from "../../contract/catalogue.ts";
import { SERVICE_LIST } from "../services/services.ts";
import { useClaims } from "../site/site-claims.ts";
import { Icon } from "../ui/icon.tsx";
import { formatFromPrice } from "../lib/format-money.ts";

/** Shows the services with price and duration, each with a link to its page. */
export function ServiceCards() {
  const claims = useClaims();
  return (
    <>
      <ul className="grid grid--3">
        {SERVICE_LIST.map(({ id, href, icon, text, fromDollars, duration }) => (
          <li key={id} className="card card--link">
            <Icon name={icon} size={36} />
            <h3>
              <a href={href}>{SERVICES[id]}</a>
            </h3>
            <p>{text}</p>
            <div className="card__foot">
              <p className="card__price">
                From <strong>{formatFromPrice(fromDollars)}</strong>
              </p>
              {claims.durations && (
                <p className="card__time">
                  <Icon name="clock" size={20} />
                  {duration}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      <p className="note">The final price depends on the size of your property.</p>
    </>
  );
}
