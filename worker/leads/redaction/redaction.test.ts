/** The Worker redacts a request's texts when it stores them. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { LeadSummary } from "../../../contract/leads.ts";
import type { Region } from "../../../contract/regions.ts";
import { leads } from "../../tables.ts";
import { call, callerFor, db } from "../../../testing/client.ts";
import { leadRow, setLead } from "../../../testing/facts.ts";
import { bookingRequest, insertUser, quoteRequest } from "../../../testing/world.ts";

const WORDS = "Zoysia please, ring 0491 570 157 or write to quokka@mail.example";
const SECRETS = ["0491", "570 157", "quokka"];

async function shownTo(userId: string, region: Region, id: string): Promise<LeadSummary> {
  const response = await call("GET", `/api/leads?region=${region}`, await callerFor(userId));
  return ((await response.json()) as LeadSummary[]).find((lead) => lead.id === id)!;
}

test("a request is redacted when it is stored, not when it is read", async () => {
  const answer = await call("POST", "/api/leads", {
    body: quoteRequest({
      specificRequests: WORDS,
      preferredLocation: "by 9 Fern Road",
      customerName: "Uma Fern",
    }),
  });
  const { id } = (await answer.json()) as { id: string };
  const lead = await leadRow(id);
  expect(lead).toMatchObject({ specificRequests: WORDS, redactedName: "Uma F.", redactedLocation: "by ▮▮▮" });
  for (const secret of SECRETS) expect(lead.redactedRequests).not.toContain(secret);
  // Reading does not redact: the stored text is shown unchanged.
  await setLead(id, { redactedRequests: "as stored", listingState: "listed" });
  const provider = await insertUser(db);
  expect((await shownTo(provider.id, lead.region, id)).specificRequests).toBe("as stored");
});

test("bookings' leads and manual leads are redacted too", async () => {
  await call("POST", "/api/bookings", { body: bookingRequest({ message: WORDS, name: "Ada Boronia" }) });
  const [booked] = await db.select().from(leads).where(eq(leads.customerName, "Ada Boronia"));
  const owner = await insertUser(db);
  const { cookie } = await callerFor(owner.id);
  await call("POST", "/api/leads/manual", {
    cookie,
    body: {
      customerName: "Ada Manual",
      customerPhone: "0491 570 006",
      serviceType: ["lawn_care"],
      urgency: "flexible",
      specificRequests: WORDS,
    },
  });
  const [own] = await db.select().from(leads).where(eq(leads.customerName, "Ada Manual"));
  for (const lead of [booked!, own!]) {
    for (const secret of SECRETS) expect(lead.redactedRequests).not.toContain(secret);
  }
  expect(booked!.redactedRequests).toMatch(/Preferred date: \d{1,2} [A-Z][a-z]+ 20\d\d/);
});

test("text lengths are checked after normalisation: a character that expands to several counts as several", async () => {
  for (const [field, text] of [
    ["specificRequests", "㌖".repeat(2000)],
    ["customerName", "㌖".repeat(100)],
    ["customerAddress", "㌖".repeat(200)],
    ["preferredLocation", "㌖".repeat(100)],
  ] as const) {
    const answer = await call("POST", "/api/leads", { body: quoteRequest({ [field]: text }) });
    expect(await answer.json(), field).toMatchObject({
      status: 400,
      errors: { [field]: expect.any(String) },
    });
  }
  const fits = "㌖".repeat(333);
  const answer = await call("POST", "/api/leads", { body: quoteRequest({ specificRequests: fits }) });
  const { id } = (await answer.json()) as { id: string };
  expect((await leadRow(id)).specificRequests).toBe(fits);
});
