/** Weak signs through the front door, and requests that do not count against others. */
import { DAY_MS } from "../../../contract/durations.ts";
import { desc, eq, getTableColumns, or } from "drizzle-orm";
import { expect, test } from "vitest";

import type { LeadRequestInput } from "../../../contract/leads.ts";
import { formStarts, leads, suburbs } from "../../tables.ts";
import { callWith, db, testEnv } from "../../../testing/client.ts";
import { openForm, runSweeps } from "../../../testing/drivers.ts";
import { type Cost, countingDb } from "../../../testing/counting-db.ts";
import { quoteRequest } from "../../../testing/world.ts";

/** The defaults of worker/platform/env.ts. */
const AS_DEPLOYED = {
  DUPLICATE_DAYS: "14",
  REQUESTS_PER_ADDRESS: "12",
  FASTEST_FORM_SECONDS: "4",
  SUSPICION_POINTS: "2",
  ORIGIN_HASH_KEY: "a long random text for tests",
};
const PHONE_BROWSER =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

const startedAMinuteAgo = () => openForm(AS_DEPLOYED.ORIGIN_HASH_KEY, Date.now() - 60_000);

let senders = 0;

/** Sends a request like a home browser, with every check switched on. */
async function askFrom(
  request: object,
  from: { headers?: Record<string, string>; cf?: CfProperties; path?: string } = {},
) {
  senders += 1;
  const headers = {
    "CF-Connecting-IP": `198.51.101.${senders}`,
    "User-Agent": PHONE_BROWSER,
    "Accept-Language": "en-AU",
    ...from.headers,
  };
  const response = await callWith(AS_DEPLOYED, "POST", from.path ?? "/api/leads", {
    body: { startToken: await startedAMinuteAgo(), ...request },
    headers,
    cf: { country: "AU", asOrganization: "Telstra", ...from.cf },
  });
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: string };
  const [row] = await db
    .select()
    .from(leads)
    .where(or(eq(leads.id, id), eq(leads.customerPhone, String((request as { phone?: string }).phone))));
  return row!;
}

const places = await db.select().from(suburbs).orderBy(desc(suburbs.population)).limit(200);
let strangers = 0;

/** Returns an unknown person's request for a suburb without earlier requests. */
function stranger(overrides: Partial<LeadRequestInput> = {}): LeadRequestInput {
  const { name, postcode } = places[(strangers += 1)]!;
  return quoteRequest({
    customerName: `Uma Unknown${strangers}`,
    customerPhone: `04${String(10_000_000 + strangers * 37_003)}`,
    customerEmail: null,
    customerAddress: `${strangers} Wattle Road, ${name} NSW ${postcode}`,
    ...overrides,
  });
}

test("an honest request from a home is listed with every check on", async () => {
  expect((await askFrom(stranger())).quarantineReasons).toEqual([]);
});

test("a program in a data centre is quarantined", async () => {
  const from = {
    headers: { "User-Agent": "curl/8.9.1" },
    cf: { country: "US", asOrganization: "DigitalOcean" },
  };
  expect(await askFrom(stranger(), from)).toMatchObject({
    listingState: "quarantined",
    quarantineReasons: ["program", "outside_network"],
  });
});

test("used form starts are deleted when they expire", async () => {
  await db.delete(formStarts);
  const lead = await askFrom(stranger());
  await runSweeps(lead.createdAt + DAY_MS);
  expect(await db.$count(formStarts)).toBe(1);
  await runSweeps(lead.createdAt + DAY_MS + 60_000);
  expect(await db.$count(formStarts)).toBe(0);
});

test("requests that were set aside do not count against their network", async () => {
  const from = { headers: { "CF-Connecting-IP": "2001:db8:9:101::1" } };
  for (let i = 0; i < 13; i++) {
    const junk = await askFrom({ ...stranger(), homepage: "https://spam.example" }, from);
    expect(junk.listingState).toBe("quarantined");
  }
  expect((await askFrom(stranger(), from)).quarantineReasons).toEqual([]);
});

/** Returns a statement that copies a lead 3,000 times, into the minutes before it. */
function copiesOf(phone: string): string {
  const replaced: Record<string, string> = {
    id: "l.id || n.value",
    submission_id: "NULL",
    reference: "NULL",
    created_at: "l.created_at - n.value",
  };
  const names = Object.values(getTableColumns(leads)).map(({ name }) => name);
  return `INSERT INTO leads (${names.join()}) SELECT ${names.map((name) => replaced[name] ?? `l.${name}`).join()}
    FROM leads AS l, (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 3000) SELECT value FROM n) AS n
    WHERE l.customer_phone = '${phone}'`;
}

/** Measures the D1 cost of screening and storing one request. */
async function costOfRequest(request: object): Promise<Cost> {
  const { db: counting, cost } = countingDb(testEnv.DB);
  const response = await callWith({ ...AS_DEPLOYED, DB: counting }, "POST", "/api/leads", {
    body: { startToken: await startedAMinuteAgo(), ...request },
    headers: { "CF-Connecting-IP": "203.0.113.120", "User-Agent": PHONE_BROWSER, "Accept-Language": "en-AU" },
  });
  expect(response.status).toBe(201);
  return cost;
}

test("screening reads few rows, even after thousands of requests of one person", async () => {
  const request = stranger();
  const before = await costOfRequest(request);
  await testEnv.DB.prepare(copiesOf(request.customerPhone)).run();
  const after = await costOfRequest({ ...stranger(), customerPhone: request.customerPhone });
  console.log(`rows read: ${before.rowsRead} with few requests, ${after.rowsRead} with 3,000 alike`);
  // The network has sent too many, so the request is quarantined and enqueues no messages: three statements fewer.
  expect(after.statements).toBe(before.statements - 3);
  expect(after.rowsRead).toBeLessThan(before.rowsRead + 500);
});
