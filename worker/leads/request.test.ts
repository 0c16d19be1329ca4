/** A visitor's request is stored once, with its region. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { UNCLEAR_SUBURB } from "../../contract/address.ts";
import type { LeadRequestInput } from "../../contract/leads.ts";
import { leads, requestLinks } from "../tables.ts";
import { call, callerFor, db, rowCounts } from "../../testing/client.ts";
import { leadRow } from "../../testing/facts.ts";
import { insertUser, quoteRequest } from "../../testing/world.ts";
import { eventually } from "../../testing/eventually.ts";

async function ask(overrides: Partial<LeadRequestInput> & Record<string, unknown>, cookie?: string) {
  const response = await call("POST", "/api/leads", { body: quoteRequest(overrides), cookie });
  expect(response.status).toBe(201);
  return (await response.json()) as {
    id: string;
    suburbName: string | null;
    createdAt: number;
    token: string;
  };
}

async function submit(overrides: Partial<LeadRequestInput> & Record<string, unknown>, cookie?: string) {
  return await leadRow((await ask(overrides, cookie)).id);
}

test.each([
  ["a name alone", "12 Banksia Street, Manly", "Manly", "northern-beaches"],
  ["a postcode alone", "12 Banksia Street, 2619", "Jerrabomberra", "capital-region-and-south-coast"],
  ["an ambiguous name with its postcode", "12 Banksia St, Punchbowl NSW 2460", "Punchbowl", "north-coast"],
  ["a suburb without a page", "Lot 4 Main Road, Tibooburra", "Tibooburra", "central-and-far-west"],
])("an address with %s gets its suburb and region", async (_, customerAddress, suburbName, region) => {
  const lead = await submit({ customerAddress });
  expect(lead).toMatchObject({ suburbName, region, priceCents: 5000, source: "quote" });
  // The lead has the suburb's coordinates. We do not know the property's.
  expect(lead.latitude).not.toBeNull();
  expect(lead.id).toMatch(new RegExp(`^lead_${region}_`));
});

test("instructions behind the address are stored as a note, not as a part of the address", async () => {
  const lead = await submit({
    customerAddress: "12 Banksia St, Glebe NSW 2037, access via 5 Leichhardt St Leichhardt 2040 (dog)",
    specificRequests: "Mow the front",
  });
  expect(lead).toMatchObject({
    suburbName: "Glebe",
    customerAddress: "12 Banksia St, Glebe NSW 2037",
    streetKey: "12 banksia st glebe",
    specificRequests: "Mow the front\nWith the address: access via 5 Leichhardt St Leichhardt 2040; dog",
  });
  // A gate code or the name of a dog is for the buyer.
  expect(lead.redactedRequests).toBe("Mow the front");
});

test("a suburb that is not in our list is asked about, keeps its name, and an admin decides on it", async () => {
  const customerAddress = "12 Grange Ave, Newname NSW 2762";
  const asked = await call("POST", "/api/leads", { body: quoteRequest({ customerAddress }) });
  expect(await asked.json()).toMatchObject({ errors: { customerAddress: UNCLEAR_SUBURB } });
  const lead = await submit({ customerAddress, addressSuburb: "Newname", addressPostcode: "2762" });
  expect(lead).toMatchObject({
    suburbId: null,
    suburbName: "Newname",
    suburbPostcode: "2762",
    region: "blacktown",
    customerAddress: "12 Grange Ave, Newname NSW 2762",
    listingState: "quarantined",
    quarantineReasons: ["unlisted_suburb"],
  });
});

test.each(["5 High St, Silverwater", "4 Elm St, Glebe 2040"])(
  "after 'None of these' for %j, a suburb that is not in our list is accepted with its postcode",
  async (customerAddress) => {
    const asked = await call("POST", "/api/leads", { body: quoteRequest({ customerAddress }) });
    expect(await asked.json()).toMatchObject({ errors: { customerAddress: UNCLEAR_SUBURB } });
    const lead = await submit({ customerAddress, addressSuburb: "Newname", addressPostcode: "2762" });
    expect(lead).toMatchObject({
      suburbId: null,
      suburbName: "Newname",
      suburbPostcode: "2762",
      quarantineReasons: ["unlisted_suburb"],
    });
    expect(lead.customerAddress).toContain("Newname NSW 2762");
  },
);

test.each([
  ["another suburb's postcode", "Newtown", "2037"],
  ["a postcode of another state", "Glenelg East", "5045"],
])("a suburb with %s is asked about again", async (_, addressSuburb, addressPostcode) => {
  const body = quoteRequest({ customerAddress: "5 Moseley St, Glenelg", addressSuburb, addressPostcode });
  expect(await (await call("POST", "/api/leads", { body })).json()).toMatchObject({
    errors: { customerAddress: UNCLEAR_SUBURB },
  });
});

test.each(["\u200B\u200B\u200B\u200B\u200B", "Evil\u202Eoga", "Anna\r\nBcc: x@evil.example", "Anna\0 Brown"])(
  "a request with the name or address %j is refused",
  async (text) => {
    for (const field of ["customerName", "customerAddress"]) {
      const response = await call("POST", "/api/leads", { body: quoteRequest({ [field]: text }) });
      expect([field, response.status]).toEqual([field, 400]);
      expect(await response.json()).toMatchObject({
        errors: { [field]: "Please retype this on one line, without hidden characters" },
      });
    }
  },
);

test("the suburb that the visitor chose wins over the address", async () => {
  const lead = await submit({ suburbId: "sub_manly", customerAddress: "12 Banksia Street, Glebe NSW 2037" });
  expect(lead).toMatchObject({ suburbId: "sub_manly", suburbPostcode: "2095", region: "northern-beaches" });
});

test("a request with an unknown suburb is stored", async () => {
  const lead = await submit({ suburbId: "sub_atlantis", customerAddress: "12 Banksia Street, Glebe 2037" });
  expect(lead).toMatchObject({ suburbId: "sub_glebe", region: "sydney-city-and-east" });
});

test("the visitor cannot set the price, region or status", async () => {
  const lead = await submit({
    id: "lead_nsw_chosen000000",
    region: "manly",
    priceCents: 1,
    price: "0.01",
    status: "sold",
    listingState: "private",
    leadScore: 99,
    customerId: "user_x",
    latitude: 1,
    expiresAt: 4_102_444_800_000,
  });
  expect(lead).toMatchObject({ region: "inner-west", priceCents: 5000, status: "available", leadScore: 0 });
  expect(lead).toMatchObject({ customerId: null, expiresAt: lead.createdAt + 14 * 24 * 60 * 60 * 1000 });
  expect(["pending", "listed"]).toContain(lead.listingState);
  expect(lead.latitude).not.toBe(1);
});

test("a signed-in user's request belongs to their account", async () => {
  const customer = await insertUser(db, { userType: "customer" });
  const provider = await insertUser(db);
  expect((await submit({}, (await callerFor(customer.id)).cookie)).customerId).toBe(customer.id);
  expect((await submit({}, (await callerFor(provider.id)).cookie)).customerId).toBe(provider.id);
});

test("empty texts are stored as null, and texts are trimmed", async () => {
  const lead = await submit({
    customerName: "  Anna Brown ",
    customerEmail: "",
    specificRequests: "   ",
    preferredLocation: "",
    grassType: null,
  });
  expect(lead).toMatchObject({
    customerName: "Anna Brown",
    customerEmail: null,
    specificRequests: null,
    preferredLocation: null,
    grassType: null,
  });
});

test("a form sent again creates no second lead", async () => {
  const submissionId = crypto.randomUUID();
  const first = await ask({ submissionId });
  const before = await rowCounts();
  expect(await ask({ submissionId })).toEqual(first);
  expect(await ask({ submissionId, customerName: "Someone Else" })).toEqual(first);
  expect(await rowCounts()).toEqual(before);
  expect(await leadRow(first.id)).toMatchObject({ customerName: "Anna Brown" });
});

test("a form sent five times at once creates one lead, listed once", async () => {
  const submissionId = crypto.randomUUID();
  const responses = await Promise.all(Array.from({ length: 5 }, () => ask({ submissionId })));
  expect(new Set(responses.map(({ id, token }) => `${id} ${token}`)).size).toBe(1);
  const stored = await db.select().from(leads).where(eq(leads.submissionId, submissionId));
  expect(stored).toHaveLength(1);
  await eventually(async () => {
    expect(await leadRow(stored[0]!.id)).toMatchObject({ listingState: "listed", exchangeVersion: 1 });
  });
});

test("the response to the visitor contains only the necessary fields, and a link that D1 stores as a hash", async () => {
  const sent = await ask({});
  expect(sent).toEqual({
    id: expect.stringMatching(/^lead_inner-west_/),
    reference: expect.stringMatching(/^[A-HJ-NP-Z2-9]{6}$/),
    suburbName: "Leichhardt",
    createdAt: expect.any(Number),
    token: expect.stringMatching(/^[\w-]{43}$/),
  });
  const { id, token } = sent;
  const { reference } = await leadRow(id);
  const page = await call("GET", `/api/requests?token=${token}`);
  expect(await page.json()).toMatchObject({ request: { reference } });
  const links = await db.select().from(requestLinks).where(eq(requestLinks.leadId, id));
  expect(links).toHaveLength(1);
  expect(JSON.stringify(links)).not.toContain(token);
});
