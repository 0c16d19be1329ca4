/** Fills the local world before the server starts, and makes a few demo sales once it is running. */
import { DEMO_TRADES } from "../testing/demo.ts";
import { PASSWORD } from "../testing/world.ts";
import { run } from "../testing/tools.ts";

/**
 * Writes accounts, unsold leads and a pipeline into the local D1 unless they exist. Runs in its own process,
 * which hides wrangler's warnings about unused bindings.
 */
export async function fillLocalWorld(): Promise<void> {
  await run("node", ["scripts/fill-demo.ts"]);
}

/** Signs in through the API. Returns a fetch function that sends the session cookie. */
async function signIn(url: string, username: string) {
  const post = (path: string, method: string, body: unknown, cookie?: string) =>
    fetch(`${url}${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...(cookie && { Cookie: cookie }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const login = await post("/api/auth/login", "POST", { username, password: PASSWORD });
  if (!login.ok) throw new Error(`Could not sign in as ${username}: ${await login.text()}`);
  const cookie = login.headers.getSetCookie()[0]!.split(";")[0]!;
  return (path: string, method = "GET", body?: unknown) => post(path, method, body, cookie);
}

const BUYERS = {
  "demo-provider": {
    buyerName: "Dana Mason",
    buyerEmail: "demo-provider@example.com",
    buyerPhone: "0491 570 801",
  },
  "demo-rival": { buyerName: "Ravi Iyer", buyerEmail: "demo-rival@example.com", buyerPhone: "0491 570 802" },
};

type Caller = Awaited<ReturnType<typeof signIn>>;

/** Buys a lead for a demo account. Any error response ends the demo. */
export type BuyDemoLead = (call: Caller, leadId: string, username: keyof typeof BUYERS) => Promise<Response>;

const buyWithoutCard: BuyDemoLead = (call, leadId, username) =>
  call(`/api/leads/${leadId}/purchase`, "POST", BUYERS[username]);

/**
 * Buys the oldest demo leads through the exchange, so that the demo contains real sales. Does nothing if
 * demo-provider has already bought a lead.
 */
export async function tradeDemoLeads(url: string, buy = buyWithoutCard): Promise<void> {
  const provider = await signIn(url, "demo-provider");
  const purchases = (await (await provider("/api/lead-purchases")).json()) as { mode: string }[];
  if (purchases.some((purchase) => purchase.mode !== "manual")) return;
  const rival = await signIn(url, "demo-rival");
  const listed = (await (await provider("/api/leads")).json()) as { id: string }[];
  const oldest = listed.slice(-DEMO_TRADES);
  for (const [i, lead] of oldest.entries()) {
    const [call, username] = i === 0 ? [rival, "demo-rival" as const] : [provider, "demo-provider" as const];
    const response = await buy(call, lead.id, username);
    if (!response.ok) throw new Error(`The demo could not buy a lead: ${await response.text()}`);
  }
}

/** Subscribes demo-provider to notifications on the stand-in phone, without quiet hours. */
export async function allowDemoNotifications(
  url: string,
  { endpoint, p256dh, auth }: { endpoint: string; p256dh: string; auth: string },
): Promise<void> {
  const provider = await signIn(url, "demo-provider");
  const response = await provider("/api/notifications/devices", "POST", { endpoint, p256dh, auth });
  if (!response.ok) throw new Error(`The demo could not enable notifications: ${await response.text()}`);
  await provider("/api/notifications/quiet-hours", "PUT", {
    isOn: false,
    startsAt: "20:00",
    endsAt: "07:00",
  });
}
