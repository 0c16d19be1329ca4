import { OwnScript } from "../documents/document-script.tsx";

/**
 * Asks whether we may report the request to an advertiser. `conversion.ts` shows the question to visitors who have not
 * answered yet. Without the script the question stays hidden, and we report nothing.
 * @param conversion "AW-<account>/<label>"
 */
export function ConversionConsent({ conversion }: { conversion: string }) {
  return (
    <section className="consent" aria-labelledby="consent-title" data-conversion={conversion} hidden>
      <OwnScript file="quotes/conversion.ts" />
      <h2 id="consent-title">Did an ad bring you here?</h2>
      <p>
        If you agree, we’ll tell Google Ads that a request was sent, so we know which ads work. Google may set
        cookies to do that. Nothing you typed is passed on. See our{" "}
        <a href="/privacy-policy">privacy policy</a>.
      </p>
      <p className="actions">
        <button className="button button--quiet" type="button" value="yes">
          Yes, Tell Google
        </button>
        <button className="button button--quiet" type="button" value="no">
          No, Thanks
        </button>
      </p>
    </section>
  );
}
