import { expect, test } from "vitest";

import { leadSummarySchema, type LeadSummary } from "../../contract/leads.ts";
import { leads } from "../tables.ts";
import { callerFor, callWith, db, testEnv } from "../../testing/client.ts";
import { setLead } from "../../testing/facts.ts";
import { countingDb } from "../../testing/counting-db.ts";
import { insertPendingLead, insertTeamMember, insertUser } from "../../testing/world.ts";

const provider = await insertUser(db);
const asProvider = await callerFor(provider.id);
const asTeam = await callerFor((await insertTeamMember(db, provider)).id);
const asAdmin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);

/** Inserts a lead in the state that D1 holds after the exchange lists it. */
async function insertListed(
  overrides: Parameters<typeof insertPendingLead>[1] = {},
  row: Partial<typeof leads.$inferInsert> = {},
) {
  const { id } = await insertPendingLead(db, overrides);
  await setLead(id, { listingState: "listed", exchangeVersion: 1, ...row });
  return id;
}

async function read(response: Response): Promise<LeadSummary[]> {
  expect(response.status).toBe(200);
  return (await response.json()) as LeadSummary[];
}

async function idsOf(query: string): Promise<string[]> {
  return (await read(await asProvider("GET", `/api/leads${query}`))).map(({ id }) => id);
}

const marked = await insertListed({
  customerName: "Zelda Quokkaworth",
  customerPhone: "0491 570 110",
  customerEmail: "zq.private@hidden.example",
  customerAddress: "77 Xanadu Street, Leichhardt NSW 2040",
  specificRequests:
    "Ring 0 4 9 1 5 7 0 1 1 0, or Mrs Quokkaworth at zq dot private (at) hidden (dot) example.",
  preferredLocation: "behind 77 Xanadu St, see https://hidden.example",
});
const SECRETS = ["quokkaworth", "xanadu", "private", "hidden"];
/** Too short to search everywhere, because ids and times may contain them by chance. */
const SHORT_SECRETS = ["0491", "570", "7 7", "77"];

const RANDOM_FIELDS = new Set(["id", "createdAt", "expiresAt", "latitude", "longitude"]);

/** Returns a lead as text, without its id, its times and its suburb's coordinates. */
function wordsOf(lead: LeadSummary): string {
  return JSON.stringify(lead, (key, value: unknown) => (RANDOM_FIELDS.has(key) ? undefined : value));
}

test("providers and team members see a lead without its contact details", async () => {
  for (const caller of [asProvider, asTeam]) {
    const response = await caller("GET", "/api/leads?region=inner-west");
    const body = await response.text();
    for (const secret of SECRETS) expect(body.toLowerCase()).not.toContain(secret);
    expect(body).toContain(marked);
    const words = (JSON.parse(body) as LeadSummary[]).map(wordsOf).join();
    for (const secret of SHORT_SECRETS) expect(words).not.toContain(secret);
  }
});

/** Returns all rows that D1 returns for a market list. */
async function readFromD1(cookie: string): Promise<string> {
  const { db: DB, rows } = countingDb(testEnv.DB);
  const response = await callWith({ DB }, "GET", "/api/leads?region=inner-west", { cookie });
  expect(response.status).toBe(200);
  return JSON.stringify(rows);
}

test("D1 does not return hidden columns for rivals", async () => {
  for (const { cookie } of [asProvider, asTeam]) {
    const responseText = await readFromD1(cookie);
    expect(responseText).toContain(marked);
    for (const secret of ["Quokkaworth", "Xanadu", "hidden", "0 4 9 1"])
      expect(responseText).not.toContain(secret);
  }
  // Proves that the search above would find the secret.
  expect(await readFromD1(asAdmin.cookie)).toContain("Xanadu");
});

test("a provider's view of a lead matches the contract", async () => {
  const rows = await read(await asProvider("GET", "/api/leads?region=inner-west"));
  const lead = rows.find(({ id }) => id === marked)!;
  expect(lead).toMatchObject({
    customerName: "Zelda Q.",
    customerPhone: "•••• ••• 110",
    customerEmail: null,
    customerAddress: null,
    suburbPostcode: "2040",
    price: "50.00",
    status: "available",
  });
  expect(Object.keys(lead).toSorted()).toEqual(Object.keys(leadSummarySchema.shape).toSorted());
  expect(leadSummarySchema.safeParse(lead).success).toBe(true);
});

test("super admins see all details of a lead", async () => {
  const rows = await read(await asAdmin("GET", "/api/leads?region=inner-west"));
  expect(rows.find(({ id }) => id === marked)).toMatchObject({
    customerName: "Zelda Quokkaworth",
    customerPhone: "0491 570 110",
    customerEmail: "zq.private@hidden.example",
    customerAddress: "77 Xanadu Street, Leichhardt NSW 2040",
    specificRequests: expect.stringContaining("Quokkaworth"),
  });
});

test("only leads on the market are listed", async () => {
  const suburb = { customerAddress: "1 Main Street, Broken Hill NSW 2880" };
  const listed = await insertListed(suburb);
  await insertListed(suburb, { status: "sold", listingState: "closed" });
  await insertListed(suburb, { listingState: "pending" });
  await insertListed(suburb, { listingState: "quarantined" });
  await insertListed(suburb, { listingState: "private" });
  await insertListed(suburb, { expiresAt: Date.now() - 1 });
  await insertListed(suburb, { expiresAt: Date.now() });
  const rows = await read(await asProvider("GET", "/api/leads?region=central-and-far-west"));
  expect(rows.map(({ id }) => id)).toEqual([listed]);
});

test("a region, several regions or all are listed", async () => {
  const manly = await insertListed({ customerAddress: "1 Main Street, Manly NSW 2095" });
  const dubbo = await insertListed({ customerAddress: "1 Main Street, Newcastle NSW 2300" });
  expect(await idsOf("?region=northern-beaches")).toEqual([manly]);
  expect((await idsOf("?region=northern-beaches,newcastle-and-hunter")).toSorted()).toEqual(
    [manly, dubbo].toSorted(),
  );
  for (const all of ["", "?region="]) {
    expect(await idsOf(all)).toEqual(expect.arrayContaining([manly, dubbo, marked]));
  }
});

test("a repeated region counts once", async () => {
  const often = Array.from({ length: 150 }, () => "northern-beaches").join(",");
  const response = await asProvider("GET", `/api/leads?region=${often}`);
  expect(response.status).toBe(200);
  expect(await idsOf(`?region=${often}`)).toEqual(await idsOf("?region=northern-beaches"));
});

test("an unknown region returns 404", async () => {
  for (const region of ["atlantis", "inner-west,atlantis", "Inner-West", "constructor"]) {
    const response = await asProvider("GET", `/api/leads?region=${region}`);
    expect(await response.json(), region).toMatchObject({ status: 404, code: "not_found" });
  }
});

test("an invalid limit and a malformed cursor are refused at their fields", async () => {
  for (const limit of ["0", "-1", "101", "1.5", "many", "", "NaN"]) {
    const response = await asProvider("GET", `/api/leads?limit=${limit}`);
    expect(await response.json(), limit).toMatchObject({
      status: 400,
      errors: { limit: expect.any(String) },
    });
  }
  for (const cursor of ["x", "x".repeat(500)]) {
    const response = await asProvider("GET", `/api/leads?cursor=${cursor}`);
    expect(await response.json()).toMatchObject({ status: 400, errors: { cursor: expect.any(String) } });
  }
  expect(await read(await asProvider("GET", "/api/leads?limit=1"))).toHaveLength(1);
  expect((await asProvider("GET", "/api/leads?limit=100")).status).toBe(200);
});

/** Follows the Link headers from the first page on. */
async function walk(
  path: string,
  betweenPages: () => Promise<unknown> = async () => {},
): Promise<LeadSummary[]> {
  const rows: LeadSummary[] = [];
  let next: string | null = path;
  while (next) {
    const response: Response = await asProvider("GET", next);
    rows.push(...(await read(response)));
    const link: RegExpExecArray | null = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("Link") ?? "");
    next = link?.[1] ?? null;
    await betweenPages();
  }
  return rows;
}

test("the pages contain every lead once, newest first, even leads with the same time", async () => {
  const suburb = { customerAddress: "1 Main Street, Wollongong NSW 2500" };
  const now = Date.now();
  const inserted: string[] = [];
  for (let i = 0; i < 11; i++) {
    // Three leads share a time, so that pages of two and of four leads end inside a group.
    inserted.push(await insertListed(suburb, { createdAt: now - Math.floor(i / 3) * 1000 }));
  }
  for (const limit of [2, 4, 11, 100]) {
    const rows = await walk(`/api/leads?region=illawarra-and-shoalhaven&limit=${limit}`);
    const ids = rows.map(({ id }) => id);
    expect(ids.toSorted(), `limit ${limit}`).toEqual(inserted.toSorted());
    const times = rows.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  }
  // Leads that arrive during paging neither repeat nor hide existing ones.
  const rows = await walk("/api/leads?region=illawarra-and-shoalhaven&limit=4", () => insertListed(suburb));
  const old = rows.map(({ id }) => id).filter((id) => inserted.includes(id));
  expect(old.toSorted()).toEqual(inserted.toSorted());
});
