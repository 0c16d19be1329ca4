/**
 * Measures how well screening separates forged from honest requests, with the code that screens and stores real
 * requests.
 */
import { desc } from "drizzle-orm";
import { expect, test } from "vitest";

import { bookingSchema } from "../../../contract/bookings.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { leadRequestSchema } from "../../../contract/leads.ts";
import { db, testEnv } from "../../../testing/client.ts";
import { type CorpusRequest, corpusRequests } from "../../../testing/corpus/requests.ts";
import { contextOf } from "../../platform/context.ts";
import { suburbs } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";
import { networkPrefixes } from "../../platform/network.ts";
import { storeBooking } from "../bookings/store.ts";
import { storeRequest } from "../commands.ts";
import type { LeadRow } from "../rules.ts";
import { screenRequest, type RequestSender } from "./commands.ts";
import { signStart } from "./start-token.ts";

const KEY = "a long random text for tests";
/** The defaults of worker/platform/env.ts. */
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

function startOf({ tookMs, sharedStart }: CorpusRequest, now: number): string | null {
  if (tookMs === null) return null;
  const known = sharedStart && starts.get(sharedStart);
  const token = known || signStart(KEY, now - tookMs);
  if (sharedStart) starts.set(sharedStart, token);
  return token;
}

/** Sends one request as the routes would. @returns the stored lead */
async function send(request: CorpusRequest): Promise<LeadRow> {
  const now = BEGIN + request.atMs;
  const { network, userAgent, language } = request;
  const sender = {
    address: network.address,
    prefixes: networkPrefixes(network.address),
    country: network.country,
    networkOwner: network.owner,
    userAgent,
    language,
    hostname: "naturestrip.test",
    session: null,
    device: null,
    network: "local",
    now,
  };
  const extras = { startToken: startOf(request, now), submissionId: crypto.randomUUID() };
  const origin = { customerId: null, now, lifetimeMs: 14 * DAY_MS };
  const screen = (form: RequestSender["form"]) => (checked: Parameters<typeof screenRequest>[1]) =>
    screenRequest(contextOf(AS_DEPLOYED), checked, { ...sender, form });
  if (request.booking) {
    const checked = bookingSchema.parse({ ...request.booking, ...extras });
    return (await storeBooking(db, checked, { ...origin, screen: screen("booking") })).newLead!;
  }
  const checked = leadRequestSchema.parse({ ...request.quote, ...extras });
  return (
    await storeRequest({ db, originHashKey: null }, checked, {
      ...origin,
      screened: await screen("quote")(checked),
    })
  ).lead;
}

const groupsOf = (some: CorpusRequest[]) => some.map(({ group }) => group);

test("no honest request is quarantined, and of 20 forged ones only the careful pass", async () => {
  const largest = await db.select().from(suburbs).orderBy(desc(suburbs.population)).limit(60);
  const requests = corpusRequests(largest);
  const listed: CorpusRequest[] = [];
  const quarantined: CorpusRequest[] = [];
  for (const request of requests) {
    const { listingState } = await send(request);
    (listingState === "quarantined" ? quarantined : listed).push(request);
  }
  expect([requests.filter(({ isForged }) => !isForged).length, requests.length]).toEqual([40, 60]);
  expect(groupsOf(quarantined.filter(({ isForged }) => !isForged))).toEqual([]);
  // The first request with the stolen start looks like any other.
  expect(groupsOf(listed.filter(({ isForged }) => isForged)).toSorted()).toEqual([
    "careful forgers",
    "careful forgers",
    "one signed start for all",
  ]);
});
