/** Tests what an exchange shows, broadcasts and retries while part of it is late, lost or failing. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, test, vi } from "vitest";

import {
  buyer,
  eventsOf,
  exchange,
  expectBackOnMarket,
  endHold,
  listedLead,
  listingOf,
  runAlarm,
  stripe,
  timersOf,
} from "../../testing/cards.ts";
import { eventually } from "../../testing/eventually.ts";
import { termsOf, withdrawalOf } from "../../testing/orders.ts";
import { openSocket } from "../../testing/sockets.ts";

beforeEach(() => stripe.clearFaults());

const run = (statement: string, ...values: unknown[]) =>
  runInDurableObject(exchange, (_, { storage }) => void storage.sql.exec(statement, ...values));

/** Runs the exchange's alarm now. */
async function wake() {
  await runInDurableObject(exchange, (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
  await runDurableObjectAlarm(exchange);
}

type Place = { epoch: string; seq: number };
type Snapshot = Place & { total: number; leads: { id: string; heldUntil: number | null }[] };

/** Returns the first message to a client that connects, or reconnects from a position in the history. */
async function greetingFor(cookie: string, from?: Place): Promise<Snapshot> {
  const since = from ? `?since=${from.epoch}:${from.seq}` : "";
  const socket = await openSocket(`/api/exchange/inner-west/live${since}`, cookie);
  const snapshot = await socket.frame(0);
  socket.socket.close();
  return snapshot as unknown as Snapshot;
}

test("an expired lead is in no snapshot, even if the alarm that removes it is late", async () => {
  const { as } = await buyer();
  const leadId = await listedLead();
  const before = await greetingFor(as.cookie);
  expect(before.leads.map(({ id }) => id)).toContain(leadId);
  await run("UPDATE listings SET expires_at = 1 WHERE lead_id = ?", leadId);
  // Any later change, here a new lead, causes a new snapshot.
  await listedLead();
  const after = await greetingFor(as.cookie);
  expect(after.leads.map(({ id }) => id)).not.toContain(leadId);
  // The total includes the lead until clients receive `gone` and subtract it.
  expect(after.total).toBe(before.total + 1);
  await runAlarm(leadId);
  expect((await eventsOf(leadId)).at(-1)).toBe("gone");
  expect((await greetingFor(as.cookie)).total).toBe(before.total);
});

test("an alarm with one failing row handles the others, and retries that one next time", async () => {
  const [failing, other] = [await listedLead(), await listedLead()];
  for (const leadId of [failing, other]) {
    await run("UPDATE listings SET expires_at = 1 WHERE lead_id = ?", leadId);
    await run("UPDATE due SET at = ? WHERE kind = 'expire' AND key = ?", leadId === failing ? 1 : 2, leadId);
  }
  await run(
    `CREATE TRIGGER broken BEFORE UPDATE ON listings WHEN new.lead_id = '${failing}'
     BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  );
  await wake();
  expect((await listingOf(other)).state).toBe("expired");
  expect((await listingOf(failing)).state).toBe("available");
  expect(await timersOf(failing)).toEqual([{ kind: "expire", at: expect.any(Number) }]);
  await run("DROP TRIGGER broken");
  await runAlarm(failing);
  expect((await listingOf(failing)).state).toBe("expired");
});

test("row 35: while Stripe is cancelling a payment, the exchange has a timer for the retry", async () => {
  const leadId = await listedLead();
  await (await buyer()).opened(leadId);
  await endHold(leadId);
  await runAlarm(leadId, 1);
  const answered = Promise.withResolvers<void>();
  stripe.runDuringNext("cancel", () => answered.promise);
  // The alarm stops waiting immediately, before Stripe responds.
  vi.spyOn(scheduler, "wait").mockResolvedValue(undefined);
  const requestedAt = Date.now();
  await runAlarm(leadId, 1);
  vi.restoreAllMocks();
  const again = (await timersOf(leadId)).find(({ kind }) => kind === "release");
  expect(again?.at).toBeGreaterThan(requestedAt + 5_000);
  answered.resolve();
  await eventually(() => expectBackOnMarket(leadId));
});

test("row 39: an exchange does not erase a lead that has moved: the caller must ask its new region", async () => {
  const leadId = await listedLead();
  await exchange.decide(withdrawalOf({ id: leadId }, "parramatta"));
  expect(await exchange.erase(termsOf({ id: leadId }))).toEqual({ erased: false });
});

test("an exchange that erases a person keeps none of their details", async () => {
  const leadId = await listedLead();
  const readLogs = () =>
    runInDurableObject(exchange, (_, { storage }) =>
      ["listings", "events", "outbox"].flatMap((table) =>
        storage.sql
          .exec(`SELECT * FROM ${table}`)
          .toArray()
          .map((row) => JSON.stringify(row))
          .filter((row) => row.includes(leadId) && row.includes("Anna")),
      ),
    );
  expect(await readLogs()).not.toEqual([]);
  expect(await exchange.erase(termsOf({ id: leadId }))).toEqual({ erased: true });
  expect(await readLogs()).toEqual([]);
});

test("a client from before an erased lead's listing gets a snapshot; other clients receive its removal", async () => {
  const { as } = await buyer();
  const before = await greetingFor(as.cookie);
  const leadId = await listedLead();
  const meanwhile = await greetingFor(as.cookie);
  expect(await exchange.erase(termsOf({ id: leadId }))).toEqual({ erased: true });
  const other = await listedLead();
  // Neither client may subtract a lead that it never counted.
  const early = await greetingFor(as.cookie, before);
  expect(early).toMatchObject({ type: "snapshot", total: before.total + 1 });
  const late = await greetingFor(as.cookie, meanwhile);
  expect(late).toMatchObject({
    type: "changes",
    changes: [{ kind: "gone", leadId }, { lead: { id: other } }],
  });
});

test("when a Worker confirms an older version, the newer one is still written", async () => {
  const leadId = await listedLead();
  await exchange.decide(withdrawalOf({ id: leadId }));
  const readStored = () =>
    runInDurableObject(exchange, (_, { storage }) =>
      storage.sql.exec<{ version: number }>("SELECT version FROM outbox WHERE lead_id = ?", leadId).toArray(),
    );
  const [{ version } = { version: 0 }] = await readStored();
  expect(version).toBeGreaterThan(1);
  await exchange.acknowledge(leadId, version - 1);
  expect(await readStored()).toEqual([{ version }]);
  expect((await timersOf(leadId)).map(({ kind }) => kind)).toContain("project");
  await exchange.acknowledge(leadId, version);
  expect(await readStored()).toEqual([]);
});
