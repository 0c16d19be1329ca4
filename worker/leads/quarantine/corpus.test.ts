/**
 * Measures how well screening separates forged from honest requests: two hundred of each, over three weeks. Also
 * measures it for families and their networks. Uses the code that screens and stores real requests. Part of the corpus
 * was held back while the rules were written.
 */
import { contextOf } from "../../platform/context.ts";
import { desc } from "drizzle-orm";
import { expect, test } from "vitest";

import { bookingSchema } from "../../../contract/bookings.ts";
import { leadRequestSchema } from "../../../contract/leads.ts";
import { storeBooking } from "../bookings/commands.ts";
import { suburbs } from "../../platform/db/schema.ts";
import type { Bindings } from "../../platform/env.ts";
import { storeRequest } from "../commands.ts";
import type { LeadRow } from "../rules.ts";
import { networkRequests } from "../../../testing/corpus/networks.ts";
import { fakeRequests } from "../../../testing/corpus/forged.ts";
import { honestRequests } from "../../../testing/corpus/honest.ts";
import { type CorpusRequest, DAY } from "../../../testing/corpus/people.ts";
import { db, testEnv } from "../../../testing/client.ts";
import { networkPrefixes } from "../../platform/network.ts";
import { resolvePlace } from "../suburbs/queries.ts";
import { screenRequest, type RequestSender } from "./commands.ts";
import { signStart } from "./start-token.ts";

const KEY = "a long random text for tests";
/** The values in wrangler.toml. */
const AS_DEPLOYED: Bindings = {
  ...testEnv,
  DUPLICATE_DAYS: "14",
  REQUESTS_PER_ADDRESS: "12",
  FASTEST_FORM_SECONDS: "4",
  SUSPICION_POINTS: "2",
  ORIGIN_HASH_KEY: KEY,
};
const BEGIN = Date.UTC(2026, 10, 30);

const starts = new Map<string, string>();

async function startOf({ tookMs, sharedStart }: CorpusRequest, now: number): Promise<string | null> {
  if (tookMs === null) return null;
  const known = sharedStart && starts.get(sharedStart);
  const token = known || (await signStart(KEY, now - tookMs));
  if (sharedStart) starts.set(sharedStart, token);
  return token;
}

/** Sends one request as the routes would. @returns the stored lead */
async function send(request: CorpusRequest, begin: number): Promise<LeadRow> {
  const now = begin + request.atMs;
  const { network, userAgent, language, viaPage } = request;
  const sender = {
    address: network.address,
    prefixes: networkPrefixes(network.address),
    country: network.country,
    networkOwner: network.owner,
    userAgent,
    language,
    viaPage,
    hostname: "naturestrip.test",
    now,
  };
  const startToken = await startOf(request, now);
  const extras = { startToken, submissionId: crypto.randomUUID() };
  const origin = { customerId: null, now, lifetimeMs: 14 * DAY };
  const screen = (form: RequestSender["form"]) => (checked: Parameters<typeof screenRequest>[1]) =>
    screenRequest(contextOf(AS_DEPLOYED), checked, { ...sender, form });
  if (request.booking) {
    const checked = bookingSchema.parse({ ...request.booking, ...extras });
    return (await storeBooking(db, checked, { ...origin, screen: screen("booking") })).newLead!;
  }
  const { customerAddress: address } = request.quote!;
  // The form asks for the suburb when the address has none. Forgers add one too.
  const isPlaced = await resolvePlace(db, { address });
  const customerAddress = isPlaced ? address : `${address}, Parramatta NSW 2150`;
  const checked = leadRequestSchema.parse({ ...request.quote, customerAddress, ...extras });
  return (await storeRequest(db, checked, { ...origin, screened: await screen("quote")(checked) })).lead;
}

type Result = { request: CorpusRequest; reasons: string[] };

/** For example "182 of 200 (91.0 %)". */
function share(results: readonly Result[]): { words: string; percent: number } {
  const quarantined = results.filter(({ reasons }) => reasons.length > 0).length;
  const percent = (quarantined / results.length) * 100;
  return { words: `${quarantined} of ${results.length} (${percent.toFixed(1)} %)`, percent };
}

function byGroup(results: readonly Result[]): string {
  const groups = Map.groupBy(results, ({ request }) => request.group);
  return [...groups].map(([group, some]) => `  ${group}: ${share(some).words}`).join("\n");
}

/** Sends all requests in order and prints the figures. Returns a function for the quarantined percentage of a subset. */
async function run(name: string, requests: readonly CorpusRequest[], begin: number) {
  const results: Result[] = [];
  for (const request of requests.toSorted((a, b) => a.atMs - b.atMs)) {
    const lead = await send(request, begin);
    expect(lead.listingState).toBe(lead.quarantineReasons.length > 0 ? "quarantined" : "pending");
    results.push({ request, reasons: lead.quarantineReasons });
  }
  const part = (isForged: boolean, isHeldBack?: boolean) =>
    results.filter(
      ({ request }) =>
        request.isForged === isForged && (isHeldBack === undefined || request.isHeldBack === isHeldBack),
    );
  for (const isForged of [true, false]) {
    const all = part(isForged);
    console.log(
      `${name}, kept aside of the ${isForged ? "forged" : "honest"}: ${share(all).words}; held back while tuning: ${share(part(isForged, true)).words}\n${byGroup(all)}`,
    );
  }
  return (isForged: boolean, isHeldBack?: boolean) => share(part(isForged, isHeldBack)).percent;
}

const largest = await db.select().from(suburbs).orderBy(desc(suburbs.population)).limit(60);

test("at least 85 % of 200 forged requests are quarantined, and at most 1 % of 200 honest ones", async () => {
  const honest = honestRequests(largest);
  const forged = fakeRequests(largest);
  expect([honest.length, forged.length]).toEqual([200, 200]);
  const percentOf = await run("200 and 200", [...honest, ...forged], BEGIN);
  // The held-back part must score nearly as well.
  expect(percentOf(true, true)).toBeGreaterThanOrEqual(75);
  expect(percentOf(true)).toBeGreaterThanOrEqual(85);
  expect(percentOf(false)).toBeLessThanOrEqual(1);
});

test("forged requests from changing networks are quarantined, and honest ones from a shared network are not", async () => {
  // Start long after the other requests, so that screening does not compare them with these.
  const percentOf = await run("by network", networkRequests(largest), BEGIN + 60 * DAY);
  expect(percentOf(true)).toBeGreaterThanOrEqual(70);
  expect(percentOf(true, true)).toBeGreaterThanOrEqual(65);
  expect(percentOf(false)).toBe(0);
});
