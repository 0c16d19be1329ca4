/** Market actions for drills, all through the API: request a quote, buy a lead, move it along the pipeline. */
import { eq } from "drizzle-orm";

import type { Product } from "../../testing/product/product.ts";
import { leadPurchases, leads } from "../../worker/platform/db/schema.ts";
import { insertUser, quoteRequest } from "../../testing/world.ts";

/** @throws Error with the response body if the status differs */
async function expectStatus(response: Response, status: number): Promise<Response> {
  if (response.status !== status)
    throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response;
}

/** Requests a quote as a visitor and waits until the sweep lists the lead. Returns its ID. */
export async function requestQuote(product: Product): Promise<string> {
  const response = await fetch(`${product.url}/api/leads`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: product.url },
    body: JSON.stringify(quoteRequest()),
  });
  const { id } = (await (await expectStatus(response, 201)).json()) as { id: string };
  for (let attempts = 0; attempts < 50; attempts++) {
    const [lead] = await product.db.select().from(leads).where(eq(leads.id, id));
    if (lead?.listingState === "listed") return id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${id} was not listed.`);
}

export type Buyer = Awaited<ReturnType<typeof newBuyer>>;

/** Creates a provider. Its account details match the purchase form. */
export async function newBuyer(product: Product) {
  const user = await insertUser(product.db, { email: `buyer-${crypto.randomUUID()}@example.com` });
  return { user, call: await product.callerFor(user.id) };
}

/** Buys a lead. Returns the purchase row in D1. */
export async function buy(product: Product, { user, call }: Buyer, leadId: string) {
  const form = {
    buyerName: `${user.firstName} ${user.lastName}`,
    buyerEmail: user.email,
    buyerPhone: user.phone,
    buyerCompany: user.companyName,
  };
  await expectStatus(await call("POST", `/api/leads/${leadId}/purchase`, form), 201);
  return purchaseOf(product, leadId);
}

/** Returns the purchase row of a lead in D1. */
export async function purchaseOf(product: Product, leadId: string) {
  const [row] = await product.db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  return row ?? null;
}

/** Moves a purchase to the next stage of its pipeline. */
export async function moveStage({ call }: Buyer, purchaseId: string): Promise<void> {
  const change = { salesStage: "called", salesNotes: "Rang, and all is well." };
  await expectStatus(await call("PATCH", `/api/lead-purchases/${purchaseId}/sales-stage`, change), 200);
}
