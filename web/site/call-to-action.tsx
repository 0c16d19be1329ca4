import { PhoneLink } from "./phone-link.tsx";

/** Shows a banner at the end of a page, with a quote link and a phone link. */
export function CallToAction({
  title,
  text,
  phone,
  href = "/get-quote",
}: {
  title: string;
  text: string;
  phone: string;
  href?: string;
}) {
  return (
    <section className="banner" aria-labelledby="call-to-action">
      <div className="wrap">
        <h2 id="call-to-action">{title}</h2>
        <p>{text}</p>
        <p className="actions">
          <a className="button button--main button--large" href={href}>
            Get Free Quote
          </a>
          <PhoneLink phone={phone} className="button button--large button--on-deep">
            Call Now
          </PhoneLink>
        </p>
      </div>
    </section>
  );
}
