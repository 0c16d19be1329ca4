/** Stores requests, and changes them with their links, as customers do. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect } from "vitest";

import type { CustomerRequest, RequestPageAnswer } from "../contract/request-links.ts";
import { leadPurchases } from "../worker/tables.ts";
import { buyer, exchange, stripe } from "./cards.ts";
import { call, db } from "./client.ts";
import { insertPendingLead } from "./world.ts";
import { putOnMarket, requestLink } from "./drivers.ts";
import { leadRow } from "./facts.ts";

let people = 1000 + Math.floor(Math.random() * 8000);

/** Stores a request of a new person. @returns its lead and its link's token */
export async function requested(overrides: Parameters<typeof insertPendingLead>[1] = {}, isListed = true) {
  const n = people++;
  const lead = await insertPendingLead(db, {
    customerName: `Robin Number${n}`,
    customerPhone: `02 5550 ${n}`,
    customerAddress: `${n} Norton Street, Leichhardt NSW 2040`,
    ...overrides,
  });
  if (isListed) await putOnMarket(lead);
  return { id: lead.id, digits: String(n), token: await requestLink(lead.id) };
}

export async function read(token: string): Promise<CustomerRequest | null> {
  return (await (await call("GET", `/api/requests?token=${token}`)).json<RequestPageAnswer>()).request;
}

/** Posts the page's form: the job as shown, with these changes. */
export async function change(token: string, changes: object): Promise<Response> {
  const { job } = (await read(token)) ?? (await read((await requested()).token))!;
  return call("POST", "/api/requests/change", { body: { token, ...job, ...changes } });
}

export async function outcomeOf(response: Response): Promise<string> {
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json<{ outcome: string }>()).outcome;
}

export const changed = async (token: string, changes: object) => outcomeOf(await change(token, changes));

export const leadOf = leadRow;
export const summaryOf = (id: string) =>
  runInDurableObject(exchange, (_, { storage }) => {
    const rows = storage.sql.exec<{ summary: string }>("SELECT summary FROM listings WHERE lead_id = ?", id);
    return JSON.parse(rows.one().summary) as Record<string, unknown>;
  });

export async function sell(id: string, pat?: Awaited<ReturnType<typeof buyer>>) {
  const by = pat ?? (await buyer({ companyName: "Green Lawns" }));
  const { holdId, intentId } = await by.opened(id);
  stripe.confirm(intentId, "good");
  expect((await by.settle(holdId)).status).toBe("sold");
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, id));
  return { ...by, purchaseId: purchase!.id };
}

type Detail = { updates: { kind: string; changes: { field: string }[] }[] } & Record<string, unknown>;
export const detailOf = async ({ as, purchaseId }: Awaited<ReturnType<typeof sell>>) =>
  (await as("GET", `/api/lead-purchases/${purchaseId}`)).json<Detail>();
