/** What drills do on a market: a request, a sale, a step in the pipeline; all through the front door. */
import { eq } from "drizzle-orm";

import type { Product } from "../../testing/product/product.ts";
import { leadPurchases, leads } from "../../worker/platform/db/schema.ts";
import { insertUser, quoteRequest } from "../../testing/world.ts";

/** @throws Error with the answer, when it is not the expected one */
async function expectStatus(answer: Response, status: number): Promise<Response> {
  if (answer.status !== status) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** A visitor asks for a quote, and the minute's sweep has listed it. Returns the lead's id. */
export async function askForQuote(product: Product): Promise<string> {
  const answer = await fetch(`${product.url}/api/leads`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: product.url },
    body: JSON.stringify(quoteRequest()),
  });
  const { id } = (await (await expectStatus(answer, 201)).json()) as { id: string };
  for (let tries = 0; tries < 50; tries++) {
    const [lead] = await product.db.select().from(leads).where(eq(leads.id, id));
    if (lead?.listingState === "listed") return id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${id} was not listed.`);
}

export type Buyer = Awaited<ReturnType<typeof newBuyer>>;

/** A provider whose account says what they will type into the purchase form. */
export async function newBuyer(product: Product) {
  const user = await insertUser(product.db, { email: `buyer-${crypto.randomUUID()}@example.com` });
  return { user, call: await product.callerFor(user.id) };
}

/** Buys a lead. Returns the purchase as D1 has it. */
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

/** A lead's purchase as D1 has it. */
export async function purchaseOf(product: Product, leadId: string) {
  const [row] = await product.db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  return row ?? null;
}

/** Moves a purchase along its pipeline. */
export async function moveOn({ call }: Buyer, purchaseId: string): Promise<void> {
  const change = { salesStage: "called", salesNotes: "Rang, and all is well." };
  await expectStatus(await call("PATCH", `/api/lead-purchases/${purchaseId}/sales-stage`, change), 200);
}
