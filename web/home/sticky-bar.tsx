import { Icon } from "../ui/icon.tsx";
import { DocumentScript } from "../documents/document-script.tsx";
import { PhoneLink } from "../site/phone-link.tsx";
import { useClaims } from "../site/site-claims.ts";

/**
 * Shows the quote and phone links on a phone after the hero has scrolled out of view. `show-sticky-bar.ts` controls it.
 */
export function StickyBar({ phone }: { phone: string }) {
  const { slotsLeft } = useClaims();
  return (
    <aside className="sticky-bar" aria-label="Get a quote" data-sticky-bar="" hidden>
      <DocumentScript />
      {slotsLeft && <p>{slotsLeft}</p>}
      <button className="icon-button" type="button" aria-label="Dismiss">
        <Icon name="close" />
      </button>
      <a className="button button--main" href="/get-quote">
        Get Free Quote
      </a>
      <PhoneLink phone={phone} className="button button--on-deep">
        Call Now
      </PhoneLink>
    </aside>
  );
}
