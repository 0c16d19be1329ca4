/**
 * `npm run dev:cards`: `npm start` with card payments through a local stand-in for Stripe. The product's code
 * is unchanged: its settings point to the stand-in's API and to its copy of Stripe.js.
 */
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { serveStripe } from "../testing/stand-ins/stripe-server.ts";
import { StripeStandIn } from "../testing/stand-ins/stripe-stand-in.ts";
import { runUntilStopped } from "./command.ts";
import { printWelcome, readPort, serveLocally } from "./serve.ts";
import { checkCanServe } from "./running-server.ts";

const WEBHOOK_SECRET = "whsec_stand_in";

const CARDS = [
  ["4242 4242 4242 4242", "pays"],
  ["4000 0000 0000 0002", "is declined"],
  ["4000 0000 0000 9995", "has insufficient funds"],
  ["4000 0027 6000 3184", "requires 3-D Secure every time"],
  ["4000 0000 0000 0259", "stays in processing for a minute (Stripe has no such card)"],
] as const;

const PROCESSING_MS = 60_000;

await runUntilStopped(async () => {
  const port = readPort();
  await checkCanServe("npm run dev:cards", [port, port + 1]);
  const standIn = new StripeStandIn(WEBHOOK_SECRET);
  const stripe = await serveStripe(standIn, port + 1);

  const url = await serveLocally({
    name: "dev:cards",
    vars: {
      PAYMENTS: "stripe",
      DEPLOYMENT: "dev-cards",
      STRIPE_SECRET_KEY: "sk_test_stand_in",
      STRIPE_PUBLISHABLE_KEY: "pk_test_stand_in",
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_HOST: stripe.url,
      STRIPE_JS_URL: stripe.scriptUrl,
      GST: "on",
    },
    buy: async (call, leadId) => {
      const amount = LEAD_PRICE_CENTS;
      const opened = await call("/api/create-payment-intent", "POST", { leadId, amount });
      if (!opened.ok) return opened;
      const { holdId } = (await opened.json()) as { holdId: string };
      const intent = standIn.intentsOf(leadId).at(-1)!;
      intent.payment_method = standIn.book.vault.addMethod("4242424242424242").id;
      standIn.confirm(intent.id, "good");
      return call("/api/payments/settle", "POST", { holdId });
    },
  });

  stripe.sendWebhooksTo(`${url}/api/stripe/webhook`);
  standIn.book.onChange((change, intentId) => {
    if (change === "payment_intent.processing")
      setTimeout(() => standIn.finish(intentId, true), PROCESSING_MS);
  });

  printWelcome(url);
  console.log("  Cards, with any future expiry date and any CVC:");
  for (const [number, what] of CARDS) console.log(`    ${number}  ${what}`);
  console.log(`\n  The stand-in for Stripe forgets everything when it stops. It listens on ${stripe.url}.\n`);
});
