import type { Stripe } from "@stripe/stripe-js";
// The pure one: fetches nothing before it is asked to.
import { loadStripe } from "@stripe/stripe-js/pure";

/** Where Stripe.js comes from, and for whom: as POST /api/exchange/holds answers. */
export type StripeSource = { publishableKey: string; scriptUrl: string | null };

const loaded = new Map<string, Promise<Stripe>>();

/** Puts another Stripe.js on the page; `loadStripe` takes the one it finds. */
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
 * Fetches Stripe.js, once per window. What failed is tried again the next time.
 * @throws Error when it does not come: offline, or blocked in this browser
 */
export function fetchStripe(source: StripeSource): Promise<Stripe> {
  const known = loaded.get(source.publishableKey);
  if (known) return known;
  const loading = load(source);
  loaded.set(source.publishableKey, loading);
  loading.catch(() => loaded.delete(source.publishableKey));
  return loading;
}
