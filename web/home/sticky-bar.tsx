import { Icon } from "../ui/icon.tsx";
import { getClaimText } from "../site/claims.ts";
import { DocumentScript } from "../documents/document-script.tsx";
import { PhoneLink } from "../site/phone-link.tsx";

/**
 * Shows the quote and phone links on a phone after the hero has scrolled out of view. `show-sticky-bar.ts` controls it.
 */
export function StickyBar({ phone }: { phone: string }) {
  return (
    <aside className="sticky-bar" aria-label="Get a quote" data-sticky-bar="" hidden>
      <DocumentScript />
      {getClaimText("slotsLeft") && <p>{getClaimText("slotsLeft")}</p>}
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
