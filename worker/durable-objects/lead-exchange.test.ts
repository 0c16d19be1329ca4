import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { db } from "../../testing/client.ts";
import { exchangeIn, leadRow } from "../../testing/facts.ts";
import { putOnMarket } from "../../testing/drivers.ts";
import { insertProvider, openSocket } from "../../testing/sockets.ts";
import { directOrder, listOrder, withdrawalOf } from "../../testing/orders.ts";
import { insertPendingLead } from "../../testing/world.ts";
import { ExchangeStore } from "../exchange/store.ts";
import type { LeadExchange } from "./lead-exchange.ts";
import { LiveList } from "../exchange/live-list.ts";
import type { LiveSockets } from "../live/sockets.ts";
import { eventually } from "../../testing/eventually.ts";

/* Tests in this file share objects, so each test uses its own region. */
const ADDRESSES = {
  blacktown: "1 Main Street, Blacktown NSW 2148",
  parramatta: "1 George Street, Parramatta NSW 2150",
  "northern-beaches": "1 The Corso, Manly NSW 2095",
  "inner-west": "1 Norton Street, Leichhardt NSW 2040",
  "newcastle-and-hunter": "1 Hunter Street, Newcastle NSW 2300",
  "central-coast": "1 Mann Street, Gosford NSW 2250",
  "penrith-and-blue-mountains": "1 High Street, Penrith NSW 2750",
  macarthur: "1 Queen Street, Campbelltown NSW 2560",
  "sutherland-shire": "1 Kingsway, Cronulla NSW 2230",
} as const;
type TestRegion = keyof typeof ADDRESSES;

async function listLead(region: TestRegion, now = Date.now()) {
  const lead = await insertPendingLead(db, { customerAddress: ADDRESSES[region] }, now);
  expect(lead.region).toBe(region);
  await putOnMarket(lead);
  return lead;
}

const live = (region: TestRegion, since?: string) =>
  `/api/exchange/${region}/live${since ? `?since=${since}` : ""}`;

test("a browser gets a snapshot first, then every change in order, masked", async () => {
  const before = await listLead("blacktown");
  const { as } = await insertProvider();
  const socket = await openSocket(live("blacktown"), as.cookie);
  const snapshot = await socket.frame(0);
  // How long the window may take to reconnect.
  const comeBackWithinMs: unknown = expect.any(Number);
  const leads = [{ id: before.id }];
  expect(snapshot).toMatchObject({ type: "snapshot", total: 1, cursor: null, leads, comeBackWithinMs });

  const lead = await listLead("blacktown");
  const seq = snapshot.seq as number;
  expect(await socket.frame(1)).toMatchObject({
    type: "changes",
    comeBackWithinMs,
    epoch: snapshot.epoch,
    changes: [
      { kind: "listed", seq: seq + 1, lead: { id: lead.id, customerName: "Anna B.", customerEmail: null } },
    ],
  });
  await exchangeIn("blacktown").decide(withdrawalOf(before));
  expect(await socket.frame(2)).toMatchObject({
    changes: [{ kind: "gone", seq: seq + 2, leadId: before.id, reason: "withdrawn" }],
  });
  const received = socket.frames.join();
  for (const secret of ["Brown", "Banksia", "Main Street", "example.com", "5550 0123"]) {
    expect(received).not.toContain(secret);
  }
});

test("row 28: a browser that comes back gets just what it missed; from another history it gets a snapshot", async () => {
  await listLead("parramatta");
  const { as } = await insertProvider();
  const first = await openSocket(live("parramatta"), as.cookie);
  const { epoch, seq } = (await first.frame(0)) as { epoch: string; seq: number };
  first.socket.close();
  const missed = await listLead("parramatta");

  const back = await openSocket(live("parramatta", `${epoch}:${seq}`), as.cookie);
  expect(await back.frame(0)).toMatchObject({
    type: "changes",
    seq: seq + 1,
    changes: [{ kind: "listed", lead: { id: missed.id } }],
  });
  const upToDate = await openSocket(live("parramatta", `${epoch}:${seq + 1}`), as.cookie);
  expect(await upToDate.frame(0)).toMatchObject({ type: "changes", seq: seq + 1, changes: [] });
  for (const since of [`other:${seq}`, `${epoch}:${seq + 50}`, `${epoch}:-9999`, "nonsense"]) {
    const odd = await openSocket(live("parramatta", since), as.cookie);
    expect(await odd.frame(0)).toMatchObject({ type: "snapshot", seq: seq + 1, total: 2 });
  }
});

test("row 28: a browser that missed more than the history keeps gets a snapshot", async () => {
  await listLead("central-coast");
  await listLead("central-coast");
  await listLead("central-coast");
  const { as } = await insertProvider();
  const first = await openSocket(live("central-coast"), as.cookie);
  const { epoch, seq } = (await first.frame(0)) as { epoch: string; seq: number };
  await runInDurableObject(exchangeIn("central-coast"), (_, { storage }) => {
    storage.sql.exec("DELETE FROM events WHERE seq < ?", seq);
  });
  const back = await openSocket(live("central-coast", `${epoch}:${seq - 2}`), as.cookie);
  expect(await back.frame(0)).toMatchObject({ type: "snapshot", total: 3 });
});

test("row 28: a browser that missed more than a snapshot holds gets the snapshot", async () => {
  await listLead("central-coast");
  const { as } = await insertProvider();
  const first = await openSocket(live("central-coast"), as.cookie);
  const { epoch, seq, total } = (await first.frame(0)) as { epoch: string; seq: number; total: number };
  const gone = await listLead("central-coast");
  await exchangeIn("central-coast").decide(withdrawalOf(gone));
  await evictDurableObject(exchangeIn("central-coast"));
  await runInDurableObject(exchangeIn("central-coast"), (_, { storage }) => {
    const store = new ExchangeStore(storage);
    for (let i = 0; i < 300; i++)
      store.appendEvent({ kind: "gone", seq: 0, leadId: gone.id, reason: "withdrawn" }, Date.now());
  });
  await evictDurableObject(exchangeIn("central-coast"));
  const back = await openSocket(live("central-coast", `${epoch}:${seq}`), as.cookie);
  expect(await back.frame(0)).toMatchObject({ type: "snapshot", seq: seq + 302, total });
  const near = await openSocket(live("central-coast", `${epoch}:${seq + 300}`), as.cookie);
  expect(await near.frame(0)).toMatchObject({ type: "changes", seq: seq + 302 });
});

test("after an eviction the sale stands, the history goes on and the timer is set again", async () => {
  const lead = await listLead("northern-beaches");
  const { user } = await insertProvider();
  const order = directOrder(lead, user);
  const stub = exchangeIn("northern-beaches");
  const sold = await stub.decide(order);
  await evictDurableObject(stub);
  const again = await stub.decide(order);
  expect(again).toMatchObject({ ok: true, repeated: true });
  expect(again.ok && sold.ok && again.listing.sale?.purchaseId === sold.listing.sale?.purchaseId).toBe(true);
  expect(await stub.decide({ ...order, businessId: "user_rival" })).toEqual({ ok: false, reason: "taken" });
  const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  expect(alarm).not.toBeNull();
});

test("a socket sleeps through an eviction and still hears of the next lead", async () => {
  const { as } = await insertProvider();
  const socket = await openSocket(live("inner-west"), as.cookie);
  await socket.frame(0);
  await evictDurableObject(exchangeIn("inner-west"));
  const lead = await listLead("inner-west");
  expect(await socket.frame(1)).toMatchObject({ type: "changes", changes: [{ lead: { id: lead.id } }] });
});

test("the alarm takes a lead off the market when its time is over, here and in D1", async () => {
  const lead = await listLead("newcastle-and-hunter");
  const { as } = await insertProvider();
  const socket = await openSocket(live("newcastle-and-hunter"), as.cookie);
  await socket.frame(0);
  const stub = exchangeIn("newcastle-and-hunter");
  // Make the lead expire now instead of in two weeks.
  await runInDurableObject(stub, async (_, { storage }) => {
    storage.sql.exec("UPDATE listings SET expires_at = 1 WHERE lead_id = ?", lead.id);
    storage.sql.exec("UPDATE due SET at = 1 WHERE kind = 'expire' AND key = ?", lead.id);
    await storage.setAlarm(Date.now() + 60_000);
  });
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await socket.frame(1)).toMatchObject({
    changes: [{ kind: "gone", leadId: lead.id, reason: "expired" }],
  });
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("UPDATE due SET at = 1 WHERE kind = 'project'");
  });
  await runDurableObjectAlarm(stub);
  await eventually(async () => {
    const row = await leadRow(lead.id);
    expect(row).toMatchObject({ status: "expired", listingState: "closed" });
  });
  // A second alarm changes nothing.
  await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
  await runDurableObjectAlarm(stub);
  expect(socket.frames).toHaveLength(2);
});

test("row 36: a change that was undone leaves no hole in the history", async () => {
  await listLead("macarthur");
  const { as } = await insertProvider();
  const socket = await openSocket(live("macarthur"), as.cookie);
  const { seq } = (await socket.frame(0)) as { seq: number };
  const stub = exchangeIn("macarthur");
  const run = (statement: string) =>
    runInDurableObject(stub, (_, { storage }) => void storage.sql.exec(statement));
  // Simulate a full disk while the exchange lists a lead.
  await run("CREATE TRIGGER full BEFORE INSERT ON due BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  const undone = await insertPendingLead(db, { customerAddress: ADDRESSES.macarthur });
  const listing = listOrder(undone);
  await expect(
    runInDurableObject(stub, (object) => (object as LeadExchange).decide(listing)),
  ).rejects.toThrow("disk full");
  await run("DROP TRIGGER full");
  const lead = await listLead("macarthur");
  expect(await socket.frame(1)).toMatchObject({
    seq: seq + 1,
    changes: [{ seq: seq + 1, lead: { id: lead.id } }],
  });
  // After an eviction, the history continues from the cursor of the connected windows.
  await evictDurableObject(stub);
  const later = await listLead("macarthur");
  expect(await socket.frame(2)).toMatchObject({
    seq: seq + 2,
    changes: [{ seq: seq + 2, lead: { id: later.id } }],
  });
});

test("a snapshot that many get says each what time it is", async () => {
  await listLead("central-coast");
  await runInDurableObject(exchangeIn("central-coast"), (_, { storage }) => {
    const store = new ExchangeStore(storage);
    const list = new LiveList({ broadcast() {}, count: 0 } as unknown as LiveSockets, store);
    const [first, later] = [1_000, 601_000].map((now) => JSON.parse(list.greeting(null, now)));
    expect(later).toEqual({ ...first, serverNow: 601_000 });
    expect(first).toMatchObject({ type: "snapshot", serverNow: 1_000 });
  });
});

test("what was forgotten is in no greeting, though nothing happened since the one before", async () => {
  const lead = await listLead("penrith-and-blue-mountains");
  const stub = exchangeIn("penrith-and-blue-mountains");
  await stub.decide(withdrawalOf(lead));
  const { as } = await insertProvider();
  const { epoch } = (await (await openSocket(live("penrith-and-blue-mountains"), as.cookie)).frame(0)) as {
    epoch: string;
  };
  const first = await openSocket(live("penrith-and-blue-mountains", `${epoch}:0`), as.cookie);
  expect(JSON.stringify(await first.frame(0))).toContain("Anna B.");
  await stub.forget(lead.id);
  const again = await openSocket(live("penrith-and-blue-mountains", `${epoch}:0`), as.cookie);
  expect(JSON.stringify(await again.frame(0))).not.toContain("Anna");
});
