import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { readExchangeMessage } from "../../contract/exchange.ts";
import { leadSummarySchema } from "../../contract/leads.ts";
import { directOrder } from "../../testing/orders.ts";
import { insertProvider, openSocket } from "../../testing/sockets.ts";
import { putOnMarket } from "../leads/commands.ts";
import { db, testEnv, testContext } from "../../testing/client.ts";
import { insertPendingLead } from "../../testing/world.ts";
import firstRelease from "./records-of-the-first-release.json";
import { readDeparture, readHold, readProjection, readSummary } from "./stored-records.ts";
import { exchangeOf } from "./stub.ts";

/*
 * An exchange of the first release wrote the fixture. One lead returned, one is held, one is sold and one has moved.
 * Never change the fixture. A release that writes a new format adds its own fixture.
 */
const FIELDS = Object.keys(leadSummarySchema.shape).toSorted();
const ESSENTIAL = new Set(["createdAt", "expiresAt", "id", "price", "region"]);
const [RETURNED, HELD, SOLD] = ["returned000000", "held0000000000", "sold0000000000"].map(
  (name) => `lead_macarthur_${name}`,
) as [string, string, string];

const asText = (value: unknown) =>
  value !== null && typeof value === "object" ? JSON.stringify(value) : value;

/** Inserts rows as an older release wrote them, and wakes the exchange. */
async function restartWith(stub: DurableObjectStub, tables: Record<string, Record<string, unknown>[]>) {
  await runInDurableObject(stub, (_, { storage }) => {
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) {
        const columns = Object.keys(row);
        storage.sql.exec(
          `INSERT OR REPLACE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
          ...(Object.values(row).map(asText) as SqlStorageValue[]),
        );
      }
    }
  });
  await evictDurableObject(stub);
}

test("an exchange that wakes with records from the first release trades on, and every window can read it", async () => {
  const stub = exchangeOf(testEnv, "macarthur")!;
  await restartWith(stub, firstRelease);
  const { as, user } = await insertProvider();
  const socket = await openSocket("/api/exchange/macarthur/live", as.cookie);
  const { epoch } = await socket.frame(0);
  const message = readExchangeMessage(socket.frames[0]!);
  expect(message).toMatchObject({
    type: "snapshot",
    total: 2,
    leads: [{ id: HELD, heldUntil: firstRelease.holds[0]!.ends_at }, { id: RETURNED }],
  });
  const missed = await openSocket(`/api/exchange/macarthur/live?since=${String(epoch)}:0`, as.cookie);
  await missed.frame(0);
  const { changes } = readExchangeMessage(missed.frames[0]!) as { changes: { kind: string }[] };
  expect(changes).toHaveLength(firstRelease.events.length);
  expect(changes.map(({ kind }) => kind)).toEqual(firstRelease.events.map(({ change }) => change.kind));

  expect(await stub.decide(directOrder({ id: RETURNED }, user))).toMatchObject({ ok: true });
  expect(await stub.decide(directOrder({ id: HELD }, user))).toMatchObject({ ok: false, reason: "taken" });
  expect(await stub.decide(directOrder({ id: SOLD }, { id: "user_buyer" }))).toMatchObject({
    ok: true,
    repeated: true,
    listing: { sale: { purchaseId: "pur_of_the_release_before" } },
  });
});

test("a lead stored before a field existed is sent with that field, in snapshots and catch-ups", async () => {
  const stub = exchangeOf(testEnv, "central-coast")!;
  const { as } = await insertProvider();
  const lead = await insertPendingLead(db, { customerAddress: "1 Mann Street, Gosford NSW 2250" });
  await putOnMarket(testContext, lead);
  await runInDurableObject(stub, (_, { storage }) => {
    for (const field of FIELDS.filter((name) => !ESSENTIAL.has(name))) {
      storage.sql.exec("UPDATE listings SET summary = json_remove(summary, ?)", `$.${field}`);
      storage.sql.exec("UPDATE events SET change = json_remove(change, ?)", `$.lead.${field}`);
    }
  });
  await evictDurableObject(stub);
  const first = await openSocket("/api/exchange/central-coast/live", as.cookie);
  const { epoch, leads } = (await first.frame(0)) as { epoch: string; leads: object[] };
  expect(Object.keys(leads[0]!).toSorted()).toEqual(FIELDS);
  const back = await openSocket(`/api/exchange/central-coast/live?since=${epoch}:0`, as.cookie);
  const { changes } = (await back.frame(0)) as { changes: { lead: object }[] };
  expect(Object.keys(changes[0]!.lead).toSorted()).toEqual(FIELDS);
});

test("fields that a later release stored are passed on, and its kinds of change are counted", async () => {
  const stub = exchangeOf(testEnv, "northern-beaches")!;
  const at = Date.now();
  const returned = firstRelease.listings.find(({ lead_id: id }) => id === RETURNED)!;
  const summary = { ...returned.summary, region: "northern-beaches", fieldOfTomorrow: "narrow" };
  await restartWith(stub, {
    listings: [{ ...returned, summary }],
    events: [
      { seq: 1, at, change: { kind: "listed", seq: 1, lead: summary } },
      { seq: 2, at, change: { kind: "price_changed", seq: 2, leadId: RETURNED, price: "40.00" } },
    ],
  });
  const { as } = await insertProvider();
  const socket = await openSocket("/api/exchange/northern-beaches/live", as.cookie);
  const snapshot = await socket.frame(0);
  expect(snapshot.leads).toMatchObject([{ id: RETURNED, fieldOfTomorrow: "narrow" }]);
  const back = await openSocket(
    `/api/exchange/northern-beaches/live?since=${String(snapshot.epoch)}:1`,
    as.cookie,
  );
  await back.frame(0);
  expect(readExchangeMessage(back.frames[0]!)).toMatchObject({
    type: "changes",
    seq: 2,
    changes: [{ kind: "unknown", seq: 2 }],
  });
});

test("a record without later fields is read with their defaults", () => {
  expect(readSummary(null)).toBeNull();
  expect(readSummary('{"id":"lead_x","fieldOfTomorrow":"narrow"}')).toMatchObject({
    id: "lead_x",
    heldUntil: null,
    additionalServices: [],
    fieldOfTomorrow: "narrow",
  });
  expect(readHold('{"holdId":"hold_1"}')).toEqual({ holdId: "hold_1", paymentIntentId: null, release: null });
  expect(readDeparture('{"at":1}')).toEqual({ at: 1, byUserId: null, toRegion: null });
  expect(readProjection('{"leadId":"lead_x","sale":null}')).toMatchObject({
    leadId: "lead_x",
    departure: null,
  });
});
