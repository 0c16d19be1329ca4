/**
 * Erases a person with the operator command while the product is running, then searches every screen for
 * them.
 */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { OpenedPayment } from "../worker/selling/payments/commands.ts";
import { eventually } from "../testing/eventually.ts";
import { ERASED_CUSTOMER, ERASED_EMAIL, ERASED_PHONE, TRACES, tracesIn } from "../testing/erased-customer.ts";
import { serveStripe, type StripeServer } from "../testing/stand-ins/stripe-server.ts";
import { StripeStandIn } from "../testing/stand-ins/stripe-stand-in.ts";
import { bookingRequest, quoteRequest } from "../testing/world.ts";
import { launchBrowser } from "../testing/product/browser.ts";
import { cardSettings } from "../testing/product/card-fixture.ts";
import { type LocalProduct, startLocalProduct } from "../testing/product/local-product.ts";
import { record } from "../testing/product/browser-fixture.ts";

const stripe = new StripeStandIn("whsec_naturestrip");
let server: StripeServer;
let product: LocalProduct;
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  server = await serveStripe(stripe);
  const screening = { DUPLICATE_DAYS: "0", FASTEST_FORM_SECONDS: "0", SUSPICION_POINTS: "0" };
  [product, browser] = await Promise.all([
    startLocalProduct({ ...cardSettings(server), ...screening }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  server?.stop();
});

const BOOKED = {
  name: ERASED_CUSTOMER.customerName,
  phone: ERASED_PHONE,
  email: ERASED_EMAIL,
  message: "Quokkaword, please ring",
};

/** Sends a request as a browser does. */
function call(path: string, body: object, options: { cookie?: string; method?: string } = {}) {
  const { cookie, method = "POST" } = options;
  const headers = {
    Origin: product.url,
    "Content-Type": "application/json",
    ...(cookie && { Cookie: cookie }),
  };
  return fetch(`${product.url}${path}`, { method, headers, body: JSON.stringify(body) });
}

/** Returns the response body. Fails if the status differs. */
async function body<T>(response: Response, status: number): Promise<T> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  return JSON.parse(text) as T;
}

/** Buys a lead with a card. @returns the purchase's ID */
async function buy(leadId: string, cookie: string): Promise<string> {
  const opened = await body<OpenedPayment>(
    await call("/api/create-payment-intent", { leadId, amount: 5000 }, { cookie }),
    200,
  );
  stripe.confirm(opened.clientSecret.split("_secret")[0]!, "good");
  await body(await call("/api/payments/settle", { holdId: opened.holdId }, { cookie }), 200);
  const response = await fetch(`${product.url}/api/my-purchased-leads`, { headers: { Cookie: cookie } });
  const [purchase] = await body<{ id: string }[]>(response, 200);
  return purchase!.id;
}

/** Opens a signed-in window and records its responses and WebSocket frames. */
async function openRecorded(cookie: string) {
  const context: BrowserContext = await browser.newContext({ baseURL: product.url, reducedMotion: "reduce" });
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url: product.url, httpOnly: true, sameSite: "Lax" }]);
  const recording = record(context);
  return { context, recording, page: await context.newPage() };
}

type Window = Awaited<ReturnType<typeof openRecorded>>;

/** Returns the text of every page that could show the person, and all responses so far. */
async function readPages(
  { page, recording }: Window,
  paths: readonly string[],
  until: (page: Page) => Promise<void>,
): Promise<string> {
  let text = "";
  for (const path of paths) {
    await page.goto(path);
    await until(page);
    await page.waitForLoadState("networkidle");
    text += `${await page.content()}\n${await page.locator("body").innerText()}\n`;
    // Read responses before leaving the page, since the browser then discards them.
    await recording.text();
  }
  return text + (await recording.text());
}

/** Opens the provider's purchase. */
async function openPurchase(page: Page): Promise<void> {
  await page.locator('.connection[data-state="live"]').waitFor();
  await page.getByRole("article").first().getByRole("link").first().click();
  await page.locator(".detail").waitFor();
}

async function listLoaded(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.getByText(/^Loading/).count()).toBe(0);
}

test("an erased person is on no screen and in no response, and the ledger is unchanged", async () => {
  const { id: leadId } = await body<{ id: string }>(
    await call("/api/leads", quoteRequest(ERASED_CUSTOMER)),
    201,
  );
  const provider = await product.signUp("pat-provider");
  const admin = await product.signUp("alex-admin");
  await product.operate("admin", "--username=alex-admin");
  const purchaseId = await eventually(() => buy(leadId, provider));
  const work = { salesStage: "called", salesNotes: "Marta Quillfeather wants a call after four" };
  const stagePath = `/api/lead-purchases/${purchaseId}/sales-stage`;
  await body(await call(stagePath, work, { cookie: provider, method: "PATCH" }), 200);
  const inspection = { serviceType: "pre_purchase_inspection", vehicle: "Quokkaword van" } as const;
  await body(await call("/api/bookings", bookingRequest({ ...BOOKED, ...inspection })), 201);
  await body(await call("/api/bookings", bookingRequest(BOOKED)), 201);

  const theirPlaces = [`/admin/leads?q=${leadId}`, "/admin/bookings?view=inspection"];
  const adminPaths = [
    ...theirPlaces,
    "/admin/leads",
    "/admin/bookings",
    "/admin/bookings?view=garden",
    "/admin/payments",
    "/admin/bad-leads",
    "/admin/audit",
    "/admin/messages",
  ];
  // First check that the person's details are present. Otherwise the search below would prove nothing.
  const earlier = await openRecorded(admin);
  expect(tracesIn(await readPages(earlier, theirPlaces, listLoaded))).toEqual(TRACES);
  const theirs = await openRecorded(provider);
  expect(tracesIn(await readPages(theirs, ["/dashboard?tab=called"], openPurchase))).toEqual(TRACES);
  await Promise.all([earlier.context.close(), theirs.context.close()]);

  const person = [`--phone=${ERASED_PHONE}`, `--email=${ERASED_EMAIL}`];
  // Without a terminal the command only counts what it would erase.
  await expect(product.operate("erase", ...person)).rejects.toThrow("no terminal to confirm in");
  expect(tracesIn(await readPages(await openRecorded(admin), theirPlaces, listLoaded))).toEqual(TRACES);
  const printed = await product.operate("erase", ...person, "--yes");
  expect(printed).toMatch(/would be erased[^]*leads: 2[^]*bookings: 1[^]*leads: 2[^]*bookings: 1/);

  const now = await openRecorded(provider);
  expect(tracesIn(await readPages(now, ["/dashboard?tab=called"], openPurchase))).toEqual([]);
  expect(await now.page.locator(".detail h2").innerText()).toBe("Erased customer");
  await now.page.getByText("We erased this customer's details at their request.", { exact: false }).waitFor();
  expect(await now.page.getByRole("link", { name: /^(Call|SMS|Email|Map)/ }).count()).toBe(0);
  const receipts = await readPages(now, ["/receipts"], listLoaded);
  expect(receipts).toContain("$50.00");
  expect(tracesIn(receipts)).toEqual([]);

  const later = await openRecorded(admin);
  const seen = await readPages(later, adminPaths, listLoaded);
  expect(tracesIn(seen)).toEqual([]);
  expect(seen).toContain("Erased customer");
  // The ledger row still has the amount, the buyer and the lead.
  await later.page.goto("/admin/payments");
  const row = later.page.getByRole("row").filter({ hasText: leadId });
  await row.waitFor();
  for (const part of ["Pat's Lawns", "$50.00", "Succeeded"]) expect(await row.innerText()).toContain(part);
});
