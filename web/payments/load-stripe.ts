import type { Stripe } from "@stripe/stripe-js";
// The pure entry point makes no request on import.
import { loadStripe } from "@stripe/stripe-js/pure";

/** Key and script URL for Stripe.js, as returned by POST /api/exchange/holds. */
export type StripeSource = { publishableKey: string; scriptUrl: string | null };

const loaded = new Map<string, Promise<Stripe>>();

/** Adds another copy of Stripe.js to the page. `loadStripe` uses the copy it finds. */
function addScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error("The card form could not be fetched"));
    });
    document.head.appendChild(script);
  });
}

async function load({ publishableKey, scriptUrl }: StripeSource): Promise<Stripe> {
  if (scriptUrl) await addScript(scriptUrl);
  const stripe = await loadStripe(publishableKey, { locale: "en-AU" });
  if (!stripe) throw new Error("The card form could not be fetched");
  return stripe;
}

/**
 * Loads Stripe.js once per window. A call after a failure retries.
 * @throws Error if Stripe.js does not load: offline, or blocked by the browser
 */
export function fetchStripe(source: StripeSource): Promise<Stripe> {
  const known = loaded.get(source.publishableKey);
  if (known) return known;
  const loading = load(source);
  loaded.set(source.publishableKey, loading);
  loading.catch(() => loaded.delete(source.publishableKey));
  return loading;
}
