/**
 * The Stripe stand-in as a server for the built product: the API, a stand-in for Stripe.js, a bank's page and
 * webhooks. Runs in Node.
 */
import { browserScript, serveStandIn } from "./stand-in-server.ts";
import type { Change } from "./stripe-book.ts";
import type { StripeStandIn } from "./stripe-stand-in.ts";

/** Maximum attempts to send a webhook, and the pause between them. */
const WEBHOOK_TRIES = 5;
const WEBHOOK_PAUSE_MS = 1_000;

const idOf = (clientSecret: string | null) => clientSecret?.split("_secret")[0] ?? "";

function bankPage(query: URLSearchParams): Response {
  const link = (answer: string, words: string) =>
    `<p><a href="/bank?${new URLSearchParams([...query, ["answer", answer]])}">${words}</a></p>`;
  const html = `<!doctype html><title>Your bank</title><h1>Your bank asks</h1>${link("yes", "Complete")}${link("no", "Fail")}`;
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/** Handles the buyer's response to their bank, in its window or on its page. */
async function handleBankPage(standIn: StripeStandIn, request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const isPage = request.method === "GET";
  const query = isPage ? searchParams : new URLSearchParams(await request.text());
  const intent = standIn.intents.get(idOf(query.get("client_secret")));
  const answer = query.get("answer");
  if (!intent) return new Response("No such payment", { status: 404 });
  if (!answer) return bankPage(query);
  standIn.book.authenticate(intent, answer === "yes");
  if (!isPage) return Response.json(intent);
  const back = new URL(query.get("return_url")!);
  back.searchParams.set("payment_intent", intent.id);
  back.searchParams.set("redirect_status", intent.status === "succeeded" ? "succeeded" : "failed");
  return Response.redirect(back.href, 303);
}

function serveRequest(standIn: StripeStandIn, request: Request): Response | Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/stripe.js") return browserScript("stripe-browser.ts");
  if (pathname === "/bank") return handleBankPage(standIn, request);
  return standIn.fetch(request);
}

/** Sends a signed webhook until the product accepts it. */
async function sendWebhook(
  standIn: StripeStandIn,
  webhookUrl: string,
  { change, intentId }: { change: Change; intentId: string },
): Promise<void> {
  const { body, headers } = await standIn.event(change, intentId);
  for (let attempt = 1; attempt <= WEBHOOK_TRIES; attempt++) {
    const answer = await fetch(webhookUrl, { method: "POST", headers, body }).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, WEBHOOK_PAUSE_MS));
  }
}

export type StripeServer = Awaited<ReturnType<typeof serveStripe>>;

/**
 * Serves a stand-in. If the stand-in loses a call, the call ends without a response.
 *
 * @param port 0 uses a free one
 */
export async function serveStripe(standIn: StripeStandIn, port = 0) {
  const { url, stop } = await serveStandIn((request) => serveRequest(standIn, request), port);
  return {
    url,
    /** URL of the stand-in for Stripe.js. */
    scriptUrl: `${url}/stripe.js`,
    /** Sends every later change to this URL, like an endpoint in Stripe's dashboard. */
    sendWebhooksTo(webhookUrl: string): void {
      standIn.book.onChange(
        (change, intentId) => void sendWebhook(standIn, webhookUrl, { change, intentId }),
      );
    },
    stop,
  };
}
