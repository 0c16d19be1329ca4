/** The Worker redacts a request's texts when it stores them, and again after a rule change. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { LeadSummary } from "../../../contract/leads.ts";
import type { Region } from "../../../contract/regions.ts";
import { runSweeps } from "../../cron.ts";
import { leads } from "../../platform/db/schema.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import type { Bindings } from "../../platform/env.ts";
import { putOnMarket } from "../commands.ts";
import { findLead } from "../queries.ts";
import type { LeadRow } from "../rules.ts";
import { call, callerFor, db, testEnv, testContext } from "../../../testing/client.ts";
import { runJob, dumpExchanges, jobRow, storeJob } from "../../../testing/operator.ts";
import { insertProvider, openSocket } from "../../../testing/sockets.ts";
import { bookingRequest, insertPendingLead, insertUser, quoteRequest } from "../../../testing/world.ts";

const WORDS = "Zoysia please, ring 0491 570 157 or write to quokka@mail.example";
const SECRETS = ["0491", "570 157", "quokka"];

/** Stores texts unredacted, like a release with older rules. */
async function storeUnredacted(lead: LeadRow): Promise<void> {
  await db
    .update(leads)
    .set({ redactedRequests: WORDS, redactedLocation: "at quokka@mail.example", redactedAt: 1 })
    .where(eq(leads.id, lead.id));
}

async function listed(overrides: Parameters<typeof quoteRequest>[0], isUnredacted = true): Promise<LeadRow> {
  const lead = await insertPendingLead(db, {
    specificRequests: WORDS,
    preferredLocation: "the back",
    ...overrides,
  });
  if (isUnredacted) await storeUnredacted(lead);
  await putOnMarket(testContext, (await findLead(db, lead.id))!);
  return (await findLead(db, lead.id))!;
}

/** Returns the first frame that a newly opened window receives. */
async function receivedFrames(region: Region): Promise<string> {
  const { as } = await insertProvider();
  const { frame, frames, socket } = await openSocket(`/api/exchange/${region}/live`, as.cookie);
  await frame(0);
  socket.close();
  return frames[0]!;
}

const inExchange = (region: Region): Promise<string> =>
  runInDurableObject(exchangeOf(testEnv, region)!, (_, { storage }) =>
    ["SELECT summary FROM listings", "SELECT change FROM events"]
      .map((sql) => JSON.stringify(storage.sql.exec(sql).toArray()))
      .join("\n"),
  );

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
  const lead = (await findLead(db, id))!;
  expect(lead).toMatchObject({ specificRequests: WORDS, redactedName: "Uma F.", redactedLocation: "by ▮▮▮" });
  expect(lead.redactedAt).toBe(lead.createdAt);
  for (const secret of SECRETS) expect(lead.redactedRequests).not.toContain(secret);
  // Reading does not redact: the stored text is shown unchanged.
  await db
    .update(leads)
    .set({ redactedRequests: "as stored", listingState: "listed" })
    .where(eq(leads.id, id));
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
    expect(lead.redactedAt).toBe(lead.createdAt);
    for (const secret of SECRETS) expect(lead.redactedRequests).not.toContain(secret);
  }
  expect(booked!.redactedRequests).toMatch(/Preferred date: \d{1,2} [A-Z][a-z]+ 20\d\d/);
});

test("the next cron run redacts unredacted leads in D1 and in the exchanges", async () => {
  const lead = await listed({ customerAddress: "1 Main Street, Manly NSW 2095" });
  await db
    .update(leads)
    .set({ redactedName: null, redactedRequests: null, redactedLocation: null, redactedAt: null })
    .where(eq(leads.id, lead.id));
  const provider = await insertUser(db);
  // Providers do not see the secret even before the sweep.
  expect(JSON.stringify(await shownTo(provider.id, lead.region, lead.id))).not.toContain("quokka");
  await runSweeps(testEnv, Date.now());
  expect((await findLead(db, lead.id))!.redactedRequests).toContain("Zoysia please, ring ▮▮▮");
  expect(await inExchange(lead.region)).not.toContain("quokka");
});

test("redact-again updates D1, leads for sale, the history, and the previous market of a moved lead", async () => {
  const still = await listed({ customerAddress: "1 Main Street, Wollongong NSW 2500" });
  const moved = await listed({ customerAddress: "1 Main Street, Wollongong NSW 2500" });
  const admin = await insertUser(db, { isSuperAdmin: true });
  const { cookie } = await callerFor(admin.id);
  const move = { cookie, body: { region: "north-coast" } };
  expect((await call("POST", `/api/super-admin/leads/${moved.id}/move`, move)).status).toBe(200);
  const waiting = await insertPendingLead(db, { specificRequests: WORDS });
  const kept = await insertPendingLead(db, { specificRequests: WORDS }, Date.now(), ["honeypot"]);
  for (const lead of [waiting, kept]) await storeUnredacted(lead);
  expect(await receivedFrames("illawarra-and-shoalhaven")).toContain("quokka");
  expect(await inExchange("north-coast")).toContain("quokka");

  expect(await runJob({ kind: "redact_again", input: {} })).toMatchObject({
    state: "done",
    result: { redacted: expect.any(Number), changed: expect.any(Number) },
  });
  for (const { id } of [still, moved, kept]) {
    const lead = (await findLead(db, id))!;
    for (const secret of SECRETS) expect(lead.redactedRequests).not.toContain(secret);
    expect(lead).toMatchObject({ specificRequests: WORDS, redactedName: "Anna B." });
  }
  expect(await dumpExchanges()).not.toContain("quokka");
  expect(await receivedFrames("illawarra-and-shoalhaven")).not.toContain("quokka");
  // Pending leads are redacted when they are listed.
  expect(await findLead(db, waiting.id)).toMatchObject({ redactedRequests: null, redactedAt: null });
  await putOnMarket(testContext, (await findLead(db, waiting.id))!);
  expect(await dumpExchanges()).not.toContain("quokka");
});

test("redact-again runs in pages, resumes where it stopped, and then has nothing left to do", async () => {
  for (let i = 0; i < 60; i++) {
    const lead = await insertPendingLead(db, { specificRequests: WORDS }, Date.now(), ["honeypot"]);
    await storeUnredacted(lead);
  }
  const done = await runJob({ kind: "redact_again", input: {} });
  expect(done.state).toBe("done");
  expect((done.result as { changed: number }).changed).toBeGreaterThanOrEqual(60);
  const again = await runJob({ kind: "redact_again", input: {} }, Date.now() + 1000);
  expect((again.result as { changed: number }).changed).toBe(0);
});

test("an exchange that is down delays only its own leads, and catches up when it is back", async () => {
  const { LEAD_EXCHANGE: real } = testEnv;
  const lost = real.idFromName("riverina-and-murray").toString();
  const silent = { retell: () => Promise.reject(new Error("The exchange is away")) };
  const namespace = {
    idFromName: (name: string) => real.idFromName(name),
    get: (id: DurableObjectId) => (id.toString() === lost ? silent : real.get(id)),
  };
  const away = { ...testEnv, LEAD_EXCHANGE: namespace as unknown as Bindings["LEAD_EXCHANGE"] };
  const there = await listed({ customerAddress: "1 Main Street, Wagga Wagga NSW 2650" });
  expect(there.region).toBe("riverina-and-murray");
  const elsewhere = await listed({ customerAddress: "1 Main Street, Manly NSW 2095" });
  const id = await storeJob({ kind: "redact_again", input: {} });
  await runSweeps(away, Date.now());
  expect((await findLead(db, elsewhere.id))!.redactedRequests).not.toContain("quokka");
  expect((await findLead(db, there.id))!.redactedRequests).toContain("quokka");
  expect((await jobRow(id)).state).toBe("waiting");
  await runSweeps(testEnv, Date.now() + 2 * 60_000);
  expect((await jobRow(id)).state).toBe("done");
  expect((await findLead(db, there.id))!.redactedRequests).not.toContain("quokka");
  expect(await inExchange("riverina-and-murray")).not.toContain("quokka");
});

test("the next run finds a listing that was in progress during the rule change", async () => {
  const lead = await insertPendingLead(db, {
    specificRequests: WORDS,
    customerAddress: "1 Main St, Albury NSW 2640",
  });
  await storeUnredacted(lead);
  const underWay = (await findLead(db, lead.id))!;
  await runJob({ kind: "redact_again", input: {} }, lead.createdAt);
  await putOnMarket(testContext, underWay);
  expect(await inExchange(lead.region)).toContain("quokka");
  await runSweeps(testEnv, lead.createdAt);
  expect(await inExchange(lead.region)).not.toContain("quokka");
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
  expect((await findLead(db, id))!.specificRequests).toBe(fits);
});
