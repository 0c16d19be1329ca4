import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { leads } from "../db/schema.ts";
import { putOnMarket } from "../leads/commands.ts";
import { db, testEnv } from "../testing/client.ts";
import { freshProvider, openSocket } from "../testing/sockets.ts";
import { directOrder, withdrawalOf } from "../testing/orders.ts";
import { insertPendingLead } from "../testing/world.ts";
import { exchangeOf } from "./stubs.ts";
import { eventually } from "../testing/eventually.ts";

/* Objects are shared within this file, so each test trades in a region of its own. */
const ADDRESSES = {
  blacktown: "1 Main Street, Blacktown NSW 2148",
  parramatta: "1 George Street, Parramatta NSW 2150",
  "northern-beaches": "1 The Corso, Manly NSW 2095",
  "inner-west": "1 Norton Street, Leichhardt NSW 2040",
  "newcastle-and-hunter": "1 Hunter Street, Newcastle NSW 2300",
  "central-coast": "1 Mann Street, Gosford NSW 2250",
} as const;
type TestRegion = keyof typeof ADDRESSES;

async function listLead(region: TestRegion, now = Date.now()) {
  const lead = await insertPendingLead(db, { customerAddress: ADDRESSES[region] }, now);
  expect(lead.region).toBe(region);
  await putOnMarket(testEnv, lead);
  return lead;
}

const live = (region: TestRegion, since?: string) =>
  `/api/exchange/${region}/live${since ? `?since=${since}` : ""}`;

test("a browser gets a snapshot first, then every change in order, masked", async () => {
  const before = await listLead("blacktown");
  const { as } = await freshProvider();
  const socket = await openSocket(live("blacktown"), as.cookie);
  const snapshot = await socket.frame(0);
  expect(snapshot).toMatchObject({ type: "snapshot", total: 1, cursor: null, leads: [{ id: before.id }] });

  const lead = await listLead("blacktown");
  const seq = snapshot.seq as number;
  expect(await socket.frame(1)).toMatchObject({
    type: "changes",
    epoch: snapshot.epoch,
    changes: [
      { kind: "listed", seq: seq + 1, lead: { id: lead.id, customerName: "Anna B.", customerEmail: null } },
    ],
  });
  await exchangeOf(testEnv, "blacktown")!.withdraw(withdrawalOf(before));
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
  const { as } = await freshProvider();
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
  const { as } = await freshProvider();
  const first = await openSocket(live("central-coast"), as.cookie);
  const { epoch, seq } = (await first.frame(0)) as { epoch: string; seq: number };
  await runInDurableObject(exchangeOf(testEnv, "central-coast")!, (_, { storage }) => {
    storage.sql.exec("DELETE FROM events WHERE seq < ?", seq);
  });
  const back = await openSocket(live("central-coast", `${epoch}:${seq - 2}`), as.cookie);
  expect(await back.frame(0)).toMatchObject({ type: "snapshot", total: 3 });
});

test("after an eviction the sale stands, the history goes on and the timer is set again", async () => {
  const lead = await listLead("northern-beaches");
  const { user } = await freshProvider();
  const order = directOrder(lead, user);
  const stub = exchangeOf(testEnv, "northern-beaches")!;
  const sold = await stub.sell(order);
  await evictDurableObject(stub);
  const again = await stub.sell(order);
  expect(again).toMatchObject({ ok: true, repeated: true });
  expect(again.ok && sold.ok && again.listing.sale?.purchaseId === sold.listing.sale?.purchaseId).toBe(true);
  expect(await stub.sell({ ...order, businessId: "user_rival" })).toEqual({ ok: false, reason: "taken" });
  const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  expect(alarm).not.toBeNull();
});

test("a socket sleeps through an eviction and still hears of the next lead", async () => {
  const { as } = await freshProvider();
  const socket = await openSocket(live("inner-west"), as.cookie);
  await socket.frame(0);
  await evictDurableObject(exchangeOf(testEnv, "inner-west")!);
  const lead = await listLead("inner-west");
  expect(await socket.frame(1)).toMatchObject({ type: "changes", changes: [{ lead: { id: lead.id } }] });
});

test("the alarm takes a lead off the market when its time is over, here and in D1", async () => {
  const lead = await listLead("newcastle-and-hunter");
  const { as } = await freshProvider();
  const socket = await openSocket(live("newcastle-and-hunter"), as.cookie);
  await socket.frame(0);
  const stub = exchangeOf(testEnv, "newcastle-and-hunter")!;
  // Two weeks later, as far as this lead is concerned.
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
    const [row] = await db.select().from(leads).where(eq(leads.id, lead.id));
    expect(row).toMatchObject({ status: "expired", listingState: "closed" });
  });
  // Firing again changes nothing.
  await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
  await runDurableObjectAlarm(stub);
  expect(socket.frames).toHaveLength(2);
});
