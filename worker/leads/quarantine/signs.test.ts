/** Weak signs: from Cloudflare, from the browser, and from similarities with earlier requests. */
import { DAY_MS } from "../../../contract/durations.ts";
import { desc, eq, getTableColumns, or } from "drizzle-orm";
import { expect, test } from "vitest";

import type { LeadRequestInput } from "../../../contract/leads.ts";
import { runSweeps } from "../../cron.ts";
import { formStarts, leads, suburbs, textMarks } from "../../platform/db/schema.ts";
import { eraseLead } from "../../operations/erasure/commands.ts";
import { callWith, db, testEnv, testContext } from "../../../testing/client.ts";
import { type Cost, countingDb } from "../../../testing/counting-db.ts";
import { bookingRequest, quoteRequest } from "../../../testing/world.ts";
import { signStart } from "./start-token.ts";

/** The values in wrangler.toml. */
const AS_DEPLOYED = {
  DUPLICATE_DAYS: "14",
  REQUESTS_PER_ADDRESS: "12",
  FASTEST_FORM_SECONDS: "3",
  SUSPICION_POINTS: "2",
  ORIGIN_HASH_KEY: "a long random text for tests",
};
const PHONE_BROWSER =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

const startedAMinuteAgo = () => signStart(AS_DEPLOYED.ORIGIN_HASH_KEY, Date.now() - 60_000);

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

const OWN_WORDS =
  "We moved in last month and the old owner left a jungle, so please bring something for the blackberries and a trailer for what comes out of there.";

test("an honest request from a home is listed with every check on", async () => {
  expect((await askFrom(stranger())).quarantineReasons).toEqual([]);
});

test.each<[string, object, Parameters<typeof askFrom>[1], string[]]>([
  ["a call that none of our forms sent", { startToken: undefined }, {}, ["not_our_form"]],
  [
    "a program abroad",
    {},
    { headers: { "User-Agent": "curl/8.9.1" }, cf: { country: "RU" } },
    ["program", "abroad"],
  ],
  [
    "a rented server abroad",
    {},
    { cf: { country: "US", asOrganization: "DigitalOcean, LLC" } },
    ["abroad", "hidden_network"],
  ],
  ["an unassigned number", { customerPhone: "0412 345 678" }, {}, ["made_up_phone"]],
  [
    "a joke",
    { customerName: "Homer Simpson", customerAddress: "742 Evergreen Terrace, Parramatta" },
    {},
    ["made_up_words"],
  ],
  ["answers that none of our forms can send", { serviceType: ["lawn_care"] }, {}, ["impossible_answers"]],
])("%s is quarantined", async (_, change, from, reasons) => {
  const row = await askFrom({ ...stranger(), ...change }, from);
  expect(row).toMatchObject({ listingState: "quarantined", quarantineReasons: reasons });
});

test.each<[string, object, Parameters<typeof askFrom>[1]]>([
  ["a traveller with an Australian phone", {}, { cf: { country: "GB" } }],
  ["a visitor behind a VPN", {}, { cf: { asOrganization: "M247 Europe SRL" } }],
  ["a link to photos", { specificRequests: "Photos are on www.photos.example" }, {}],
])("%s alone is listed", async (_, change, from) => {
  expect((await askFrom({ ...stranger(), ...change }, from)).quarantineReasons).toEqual([]);
});

test("another person's text with a different name counts as copied; the same person's does not", async () => {
  const first = stranger({ specificRequests: `Hi, Tim here. ${OWN_WORDS}` });
  expect((await askFrom(first)).quarantineReasons).toEqual([]);
  const own = { ...first, customerAddress: stranger().customerAddress };
  expect((await askFrom(own)).quarantineReasons).toEqual([]);
  const copy = await askFrom(stranger({ specificRequests: `Hi, Tom here. ${OWN_WORDS}` }));
  expect(copy.quarantineReasons).toEqual(["copied_text"]);
});

const counts = async () => [
  (await db.select().from(textMarks)).length,
  (await db.select().from(formStarts)).length,
];

test("text marks are deleted when they expire and when their person is erased", async () => {
  await db.delete(textMarks);
  await db.delete(formStarts);
  const lead = await askFrom(stranger({ specificRequests: OWN_WORDS }));
  expect(await counts()).toEqual([8, 1]);
  await runSweeps(testEnv, lead.createdAt + DAY_MS);
  expect(await counts()).toEqual([8, 1]);
  await runSweeps(testEnv, lead.createdAt + DAY_MS + 60_000);
  expect(await counts()).toEqual([8, 0]);
  await askFrom(
    stranger({ specificRequests: `${OWN_WORDS} And a second skip for the bricks behind the shed.` }),
  );
  expect(await eraseLead(testContext, lead, { reason: "request", jobId: null }, Date.now())).toBe(true);
  const marks = await db.select().from(textMarks);
  expect(marks.map(({ leadId }) => leadId)).not.toContain(lead.id);
  expect(marks.length).toBeGreaterThan(0);
  await runSweeps(testEnv, lead.createdAt + 15 * DAY_MS);
  expect(await counts()).toEqual([0, 0]);
});

/** Sends a request from each address in turn. Returns each request's reasons. */
async function reasonsFrom(addresses: readonly string[], request: (i: number) => object = () => stranger()) {
  const reasons = [];
  for (const [i, address] of addresses.entries()) {
    const row = await askFrom(request(i), { headers: { "CF-Connecting-IP": address } });
    reasons.push(row.quarantineReasons);
  }
  return reasons;
}
const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

test.each<[string, (i: number) => string, number]>([
  ["the fourth house of a /64", (i) => `2001:db8:9:101::${i + 1}`, 3],
  ["the fifth house of a /56", (i) => `2001:db8:e:20${i}::1`, 4],
  ["the seventh house of a /48", (i) => `2001:db8:a:${i}00::1`, 6],
])("%s within a day is quarantined, and so are all later ones", async (_, addressOf, free) => {
  const reasons = await reasonsFrom(times(free + 2, addressOf));
  expect(reasons).toEqual([...times(free, () => []), ["others_from_network"], ["others_from_network"]]);
});

test("requests from strangers behind a carrier's IPv4 address are listed", async () => {
  const reasons = await reasonsFrom(times(9, () => "203.0.113.99"));
  expect(reasons).toEqual(times(9, () => []));
});

test("behind an IPv4 address, a second sign quarantines: the same suburb, copied text or a close phone number", async () => {
  const { name, postcode } = places[(strangers += 1)]!;
  const customerAddress = (i: number) => `${i + 1} Banksia Road, ${name} NSW ${postcode}`;
  const inSuburb = (i: number) => stranger({ customerAddress: customerAddress(i), specificRequests: null });
  const reasons = await reasonsFrom(
    times(3, () => "203.0.113.98"),
    inSuburb,
  );
  expect(reasons).toEqual([[], [], ["others_from_network"]]);
  const copies = [
    "Tim here, please mow the whole lawn before our inspection",
    "Tom here, please mow the whole lawn before our inspection",
  ];
  expect(
    await reasonsFrom(
      times(2, () => "203.0.113.97"),
      (i) => stranger({ specificRequests: copies[i]! }),
    ),
  ).toEqual([[], ["others_from_network", "alike_from_network"]]);
  const phones = ["0433 700 100", "0433 700 900"];
  expect(
    await reasonsFrom(
      times(2, () => "203.0.113.96"),
      (i) => stranger({ customerPhone: phones[i]! }),
    ),
  ).toEqual([[], ["others_from_network", "alike_from_network"]]);
});

test("requests from a family behind one network are listed, wherever its houses are", async () => {
  const home = { headers: { "CF-Connecting-IP": "2001:db8:b:1::1" } };
  const parent = stranger();
  const family = [
    parent,
    { ...stranger(), customerAddress: parent.customerAddress },
    { ...stranger(), customerName: `Zoe ${parent.customerName.split(" ")[1]}` },
    { ...parent, customerAddress: stranger().customerAddress },
  ];
  for (const one of family) expect((await askFrom(one, home)).quarantineReasons).toEqual([]);
});

test("a surname alone does not make a family: twelve people with one surname in a /64 are quarantined", async () => {
  const first = "Anh Binh Chi Dung Giang Hanh Khoa Lan Minh Nga Phuc Quynh".split(" ");
  const reasons = await reasonsFrom(
    first.map((_, i) => `2001:db8:c:1::${i + 1}`),
    (i) => stranger({ customerName: `${first[i]} Nguyen` }),
  );
  expect(reasons.slice(0, 2)).toEqual([[], []]);
  for (const found of reasons.slice(2)) expect(found).toContain("others_from_network");
});

test("one email address or phone number with many names is a sign", async () => {
  const reasons = await reasonsFrom(
    times(4, (i) => `198.51.103.${i}`),
    () => stranger({ customerEmail: "one.box@example.com" }),
  );
  expect(reasons).toEqual([[], [], ["phone_of_another"], ["phone_of_another"]]);
});

test("a stranger's neighbouring mobile number is a sign, and an office's consecutive lines are not", async () => {
  await askFrom(stranger({ customerPhone: "0422 700 100" }));
  expect((await askFrom(stranger({ customerPhone: "0422 700 104" }))).quarantineReasons).toEqual([
    "phone_series",
  ]);
  expect((await askFrom(stranger({ customerPhone: "0422 700 300" }))).quarantineReasons).toEqual([]);
  await askFrom(stranger({ customerPhone: "02 9555 1200" }));
  expect((await askFrom(stranger({ customerPhone: "02 9555 1201" }))).quarantineReasons).toEqual([]);
});

/** A stranger's booking for one suburb. */
function bookingFor(suburbId: string, overrides: object = {}) {
  const { customerName: name, customerPhone: phone } = stranger();
  return bookingRequest({
    name,
    phone,
    email: `b${strangers}@example.com`,
    suburbId,
    message: null,
    ...overrides,
  });
}

test("junk from one network does not quarantine a suburb's next honest request", async () => {
  const { id: suburbId } = places[198]!;
  for (let i = 0; i < 3; i++) {
    const junk = bookingFor(suburbId, { name: "Homer Simpson", message: "asdf asdf asdf" });
    const from = { path: "/api/bookings", headers: { "CF-Connecting-IP": `2001:db8:d:1::${i + 1}` } };
    expect((await askFrom(junk, from)).listingState).toBe("quarantined");
  }
  // This request has one weak sign. A busy suburb would add another.
  const honest = await askFrom(bookingFor(suburbId), {
    path: "/api/bookings",
    cf: { asOrganization: "M247 Europe SRL" },
  });
  expect(honest.quarantineReasons).toEqual([]);
});

test("repeats from one network do not make a suburb busy", async () => {
  const { id: suburbId } = places[197]!;
  const own = bookingFor(suburbId);
  for (let i = 0; i < 5; i++) {
    // One person requests one service after another.
    const serviceType = [
      "lawn_mowing",
      "hedge_trimming",
      "garden_cleanup",
      "yard_cleanup",
      "pressure_washing",
    ][i];
    await askFrom(
      { ...own, serviceType },
      { path: "/api/bookings", headers: { "CF-Connecting-IP": "203.0.113.95" } },
    );
  }
  const honest = await askFrom(bookingFor(suburbId), {
    path: "/api/bookings",
    cf: { asOrganization: "M247 Europe SRL" },
  });
  expect(honest.quarantineReasons).toEqual([]);
});

test("a busy suburb alone never quarantines a request, but counts with another sign", async () => {
  const { id: suburbId } = places[199]!;
  for (let i = 0; i < 6; i++) {
    expect((await askFrom(bookingFor(suburbId), { path: "/api/bookings" })).quarantineReasons).toEqual([]);
  }
  const hidden = { path: "/api/bookings", cf: { asOrganization: "M247 Europe SRL" } };
  expect((await askFrom(bookingFor(suburbId), hidden)).quarantineReasons).toEqual([
    "hidden_network",
    "busy_suburb",
  ]);
  expect((await askFrom(stranger())).quarantineReasons).toEqual([]);
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

test("screening runs no more statements and reads few rows, even with thousands of similar requests", async () => {
  const request = stranger({ specificRequests: OWN_WORDS });
  const before = await costOfRequest(request);
  await testEnv.DB.batch(
    [
      copiesOf(request.customerPhone),
      `INSERT INTO text_marks SELECT m.mark, l.created_at, l.id FROM leads AS l, text_marks AS m
       WHERE l.customer_phone = '${request.customerPhone}' AND m.lead_id = (SELECT lead_id FROM text_marks ORDER BY at DESC LIMIT 1)
         AND l.id <> m.lead_id`,
    ].map((sql) => testEnv.DB.prepare(sql)),
  );
  const after = await costOfRequest(
    stranger({ specificRequests: OWN_WORDS, customerAddress: request.customerAddress }),
  );
  console.log(`rows read: ${before.rowsRead} with few requests, ${after.rowsRead} with 3,000 alike`);
  // A quarantined request is not listed and enqueues no messages to devices or the visitor: three statements fewer.
  expect(after.statements).toBe(before.statements - 3);
  expect(after.rowsRead).toBeLessThan(before.rowsRead + 3_000);
});
