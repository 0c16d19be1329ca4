import { MINUTE_MS } from "../../../contract/durations.ts";
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";

import type { Health } from "../../../contract/health.ts";
import { REGION_SLUGS } from "../../../contract/regions.ts";
import { pausedRegions } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";
import { call, callerFor, callWith, db, testEnv } from "../../../testing/client.ts";
import { exchangeIn } from "../../../testing/facts.ts";
import { listed, pause, resume } from "../../../testing/drivers.ts";
import { callUntilTimeout } from "../../../testing/clock.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { insertPayment, insertPendingLead, insertUser } from "../../../testing/world.ts";

/** The list of leads waits this long for the exchange. */
const HOLDS_TIMEOUT_MS = 1_500;

async function health(
  changed: Partial<Bindings> = {},
): Promise<{ status: number; body: Health; text: string }> {
  const response = await callWith(changed, "GET", "/api/health");
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as Health, text };
}

/** Returns exchanges, one of which responds with the given answer about its outbox. */
function exchangesWith(region: string, outboxSince: () => Promise<number | null>) {
  const { LEAD_EXCHANGE: real } = testEnv;
  const odd = real.idFromName(region).toString();
  const namespace = {
    idFromName: (name: string) => real.idFromName(name),
    get: (id: DurableObjectId) => (id.toString() === odd ? { outboxSince } : real.get(id)),
  };
  return { LEAD_EXCHANGE: namespace as unknown as Bindings["LEAD_EXCHANGE"] };
}

const unreachableDatabase = {
  prepare() {
    throw new Error("D1 is away");
  },
} as unknown as D1Database;

test("a healthy product returns 200 to any caller, with its version and no secrets", async () => {
  const response = await call("GET", "/api/health");
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  const { body, text } = await health();
  expect(body).toMatchObject({
    ok: true,
    version: { id: expect.stringMatching(/./) },
    database: { ok: true },
    exchanges: { ok: true, unreachable: [] },
    market: { ok: true, forgotten: [] },
    outbox: { ok: true, oldestMs: 0 },
    pending: { ok: true, oldestMs: 0 },
    messages: { ok: true, oldestMs: 0 },
  });
  for (const secret of [testEnv.STRIPE_SECRET_KEY, testEnv.STRIPE_WEBHOOK_SECRET])
    expect(text).not.toContain(secret);
});

test("an exchange that hangs is named within a bounded time, and the others are still checked", async () => {
  const hanging = exchangesWith("penrith-and-blue-mountains", () => new Promise(() => {}));
  const { status, body } = await callUntilTimeout(2_000, () => health(hanging));
  expect(status).toBe(503);
  expect(body).toMatchObject({
    ok: false,
    database: { ok: true },
    exchanges: { ok: false, unreachable: ["penrith-and-blue-mountains"] },
  });
});

test("a broken exchange is named while the database is healthy", async () => {
  const { body } = await health(exchangesWith("inner-west", () => Promise.reject(new Error("overloaded"))));
  expect(body).toMatchObject({
    database: { ok: true },
    exchanges: { ok: false, unreachable: ["inner-west"] },
  });
});

test("without D1, the parts that only D1 knows are unknown, not healthy, and the exchanges are checked", async () => {
  const { status, body } = await health({ DB: unreachableDatabase });
  expect(status).toBe(503);
  expect(body).toMatchObject({
    ok: false,
    database: { ok: false },
    exchanges: { ok: true, unreachable: [] },
    market: { ok: "unknown", forgotten: [] },
    outbox: { ok: "unknown", oldestMs: 0 },
    pending: { ok: "unknown", oldestMs: null },
    pauses: { ok: "unknown", regions: [] },
    messages: { ok: "unknown", oldestMs: null },
  });
});

test("an outbox entry that D1 lacks for too long makes the product unhealthy", async () => {
  const exchange = exchangeIn("macarthur");
  await runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec(
      "INSERT INTO outbox (lead_id, version, projection, queued_at) VALUES ('lead_macarthur_x', 2, '{}', ?)",
      Date.now() - 11 * MINUTE_MS,
    );
  });
  const { status, body } = await health();
  expect(status).toBe(503);
  expect(body.outbox.ok).toBe(false);
  expect(body.outbox.oldestMs).toBeGreaterThan(10 * MINUTE_MS);
  await runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec("DELETE FROM outbox");
  });
  expect((await health()).status).toBe(200);
});

const minutesAgo = (minutes: number) => Date.now() - minutes * MINUTE_MS;

async function pauseAllByCommand(at: number): Promise<void> {
  for (const region of REGION_SLUGS) await pause(region, { reason: "D1 is being restored", now: at });
}

describe("paused regions", () => {
  afterEach(async () => {
    for (const region of REGION_SLUGS) await resume(region);
  });

  test("a market that a restore left closed fails health after an hour, with each region's age", async () => {
    await pauseAllByCommand(minutesAgo(59));
    const young = await health();
    expect([young.status, young.body.pauses.ok]).toEqual([200, true]);
    expect(young.body.pauses.regions.map(({ region }) => region).toSorted()).toEqual(REGION_SLUGS.toSorted());
    await db.update(pausedRegions).set({ since: minutesAgo(61) });
    const { status, body } = await health();
    expect([status, body.ok, body.pauses.ok]).toEqual([503, false, false]);
    for (const { forMs } of body.pauses.regions) expect(Math.round(forMs / MINUTE_MS)).toBe(61);
    expect((await health()).text).not.toContain("being restored");
  });

  test("an admin's pause is reported and is not a failure", async () => {
    const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
    const result = await admin("POST", "/api/super-admin/regions/macarthur/pause", { reason: "A flood" });
    expect(result.status).toBe(200);
    await db.update(pausedRegions).set({ since: minutesAgo(60 * 24 * 7) });
    const { status, body } = await health();
    expect(status).toBe(200);
    expect(body.pauses).toMatchObject({ ok: true, regions: [{ region: "macarthur" }] });
    // The admin's pause last week must not hide a restore's pause today.
    await admin("POST", "/api/super-admin/regions/macarthur/resume");
    await pauseAllByCommand(Date.now());
    await db
      .update(pausedRegions)
      .set({ since: minutesAgo(61) })
      .where(eq(pausedRegions.region, "macarthur"));
    expect((await health()).body.pauses.ok).toBe(false);
  });
});

test("a request waiting to be listed makes the product unhealthy, unless its region is paused", async () => {
  const lead = await insertPendingLead(db, {}, Date.now() - 6 * MINUTE_MS);
  const { status, body } = await health();
  expect(status).toBe(503);
  expect(body.pending.oldestMs).toBeGreaterThan(5 * MINUTE_MS);
  await db.insert(pausedRegions).values({ region: lead.region, reason: "a drill", since: Date.now() });
  expect((await health()).body.pending).toEqual({ ok: true, oldestMs: 0 });
});

test("every region's exchange is checked", async () => {
  const asked: string[] = [];
  const { LEAD_EXCHANGE: real } = testEnv;
  const namespace = {
    idFromName: (name: string) => {
      asked.push(name);
      return real.idFromName(name);
    },
    get: (id: DurableObjectId) => real.get(id),
  } as unknown as Bindings["LEAD_EXCHANGE"];
  await health({ LEAD_EXCHANGE: namespace });
  expect(asked.toSorted()).toEqual([...REGION_SLUGS].toSorted());
});

test("a list of leads does not wait for a region that hangs", async () => {
  const { as, user } = await insertProvider();
  const lead = await listed();
  await insertPayment(db, user, lead.id, { state: "pending", slot: 1 });
  const { LEAD_EXCHANGE: real } = testEnv;
  const namespace = {
    idFromName: (name: string) => real.idFromName(name),
    get: () => ({ listHolds: () => new Promise(() => {}) }),
  } as unknown as Bindings["LEAD_EXCHANGE"];
  const result = await callUntilTimeout(HOLDS_TIMEOUT_MS, () =>
    callWith({ LEAD_EXCHANGE: namespace }, "GET", "/api/leads", { cookie: as.cookie }),
  );
  const held = (await result.json()) as { id: string; heldUntil: number | null }[];
  expect(held.map(({ id, heldUntil }) => [id, heldUntil])).toContainEqual([lead.id, null]);
});
