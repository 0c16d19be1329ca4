/**
 * Rewinds an exchange's storage to an earlier moment. The test runtime has no history. Tests therefore wrap the
 * object's storage in one with the platform's interface, which restores the earlier rows.
 */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { MINUTE_MS } from "../../../contract/durations.ts";
import { runSweeps } from "../../cron.ts";
import {
  attention,
  auditLog,
  leadPurchases,
  leads,
  operatorJobs,
  pausedRegions,
} from "../../platform/db/schema.ts";
import type { Bindings } from "../../platform/env.ts";
import { resumeRegion } from "../../exchange/pause-commands.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { moveLead } from "../leads/admin-commands.ts";
import { putOnMarket } from "../../leads/commands.ts";
import { buyer as cardBuyer, endHold, listedLead, runAlarm, stripe } from "../../../testing/cards.ts";
import { callerFor, db, testEnv, testContext } from "../../../testing/client.ts";
import { runJob, dumpExchanges, jobRow, storeJob } from "../../../testing/operator.ts";
import { insertProvider, openSocket } from "../../../testing/sockets.ts";
import { insertPendingLead, insertUser } from "../../../testing/world.ts";
import { rewindPart } from "./commands.ts";

const REGION = "inner-west";
const FORM = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
const UNDO = "0000000a-undo";
const BOOKMARK = "00000001-then";

type Rows = Map<string, Record<string, SqlStorageValue>[]>;

/** Returns a new stub each time: a stub is useless after its object has ended. */
const exchange = () => exchangeOf(testEnv, REGION)!;

beforeEach(async () => {
  stripe.clearFaults();
  await db.delete(operatorJobs);
  await db.delete(attention);
  await resumeRegion(testContext, REGION, { by: null, now: Date.now() });
  for (const { leadId } of await exchange().listHolds()) await exchange().decide({ type: "free", leadId });
  await db.update(leads).set({ status: "expired", listingState: "closed" });
});

function tablesOf(sql: SqlStorage): string[] {
  return sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_'",
    )
    .toArray()
    .map(({ name }) => name);
}

/** Copies the exchange's current rows, table by table. */
function readTables(): Promise<Rows> {
  return runInDurableObject(
    exchange(),
    (_, { storage: { sql } }) =>
      new Map(tablesOf(sql).map((name) => [name, sql.exec(`SELECT * FROM "${name}"`).toArray()])),
  );
}

function restoreTables(sql: SqlStorage, then: Rows): void {
  for (const name of tablesOf(sql)) {
    sql.exec(`DELETE FROM "${name}"`);
    for (const row of then.get(name) ?? []) {
      const names = Object.keys(row).map((column) => `"${column}"`);
      const marks = names.map(() => "?").join(", ");
      sql.exec(`INSERT INTO "${name}" (${names.join(", ")}) VALUES (${marks})`, ...Object.values(row));
    }
  }
}

/** Adds a history to the storage of the running instance. @returns the calls that the history received, in order */
async function simulateHistory(then: Rows): Promise<string[]> {
  const asked: string[] = [];
  await runInDurableObject(exchange(), (_, { storage }) => {
    Object.assign(storage, {
      getBookmarkForTime: async (at: number) => {
        asked.push(`bookmark for ${at}`);
        return BOOKMARK;
      },
      onNextSessionRestoreBookmark: async (bookmark: string) => {
        asked.push(`restore ${bookmark}`);
        storage.transactionSync(() => restoreTables(storage.sql, then));
        return UNDO;
      },
    });
  });
  return asked;
}

/** Lets the exchange write its decisions to D1, as its alarm does. */
async function writeDecisions(): Promise<void> {
  await runInDurableObject(exchange(), async (_, { storage }) => {
    storage.sql.exec("UPDATE due SET at = 1 WHERE kind = 'project'");
    await storage.setAlarm(Date.now() + MINUTE_MS);
  });
  await runDurableObjectAlarm(exchange());
  expect((await exchange().pulse()).outboxSince).toBe(null);
}

async function listed(customerName = "Anna Brown") {
  const lead = await insertPendingLead(db, { customerName }, Date.now() - 10 * MINUTE_MS);
  await putOnMarket(testContext, lead);
  return lead.id;
}

async function buy(id: string): Promise<number> {
  const as = await callerFor((await insertUser(db)).id);
  return (await as("POST", `/api/leads/${id}/purchase`, FORM)).status;
}

/** Whether D1 has the region's pause. Other files pause other regions. */
const isPaused = async () => (await db.$count(pausedRegions, eq(pausedRegions.region, REGION))) === 1;

const rowOf = async (id: string) => (await db.select().from(leads).where(eq(leads.id, id)))[0]!;
const live = (since?: string) => `/api/exchange/${REGION}/live${since ? `?since=${since}` : ""}`;

test("row 45: a rewound exchange sells nothing twice, has later decisions, and every window gets a snapshot", async () => {
  const [sold, waiting, moved] = [await listed(), await listed(), await listed()];
  const erased = await listed("Zebedee Quillfeather");
  const { as } = await insertProvider();
  const window = await openSocket(live(), as.cookie);
  const place = (await window.frame(0)) as { epoch: string; seq: number; at: number };
  const then = await readTables();
  const at = Date.now();

  expect(await buy(sold)).toBe(201);
  const admin = await insertUser(db, { isSuperAdmin: true });
  await moveLead(testContext, moved, { byUserId: admin.id, region: "parramatta" });
  await db
    .update(leads)
    .set({ customerEmail: "zeb@example.com", emailKey: "zeb@example.com" })
    .where(eq(leads.id, erased));
  await runJob({ kind: "erase_person", input: { phone: null, email: "zeb@example.com" } });
  const fresh = await listed();
  const asked = await simulateHistory(then);
  await writeDecisions();

  const job = await runJob({ kind: "rewind_exchange", input: { region: REGION, to: at } });
  expect(job).toMatchObject({
    state: "done",
    result: { rewound: 1, taken_off_again: 2, erased_again: 1, relisted: 1 },
  });
  expect(asked).toEqual([`bookmark for ${at}`, `restore ${BOOKMARK}`]);
  const [line] = await db.select().from(auditLog).where(eq(auditLog.action, "region.rewind"));
  expect(line).toMatchObject({ subjectId: REGION, after: { to: at, bookmark: BOOKMARK, undo: UNDO } });

  // The region stays paused until an operator has compared and resumed it.
  expect([await buy(waiting), await isPaused()]).toEqual([503, true]);
  const compared = await runJob({ kind: "compare_market", input: { since: at } });
  expect(JSON.stringify(compared.result)).toContain('"differences":0');
  await runJob({ kind: "resume_region", input: { region: REGION } });
  await runSweeps(testEnv, Date.now());

  const back = await openSocket(live(`${place.epoch}:${place.seq}:${place.at}`), as.cookie);
  const greeting = (await back.frame(0)) as { type: string; epoch: string };
  expect([greeting.type, greeting.epoch === place.epoch]).toEqual(["snapshot", false]);
  expect((await window.closed).code).toBeGreaterThanOrEqual(1000);
  expect(await dumpExchanges()).not.toContain("Quillfeather");
  expect([await buy(waiting), await buy(fresh), await buy(moved)]).toEqual([201, 201, 201]);
  expect((await rowOf(moved)).region).toBe("parramatta");
  expect(Math.min(await buy(sold), await buy(erased))).toBeGreaterThanOrEqual(400);
  expect(await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, sold))).toHaveLength(1);
});

test("row 45: a rewind during a payment does not refund the payment", async () => {
  const leadId = await listedLead();
  const pat = await cardBuyer();
  const { holdId, intentId } = await pat.opened(leadId);
  const then = await readTables();
  const at = Date.now();
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  await writeDecisions();
  await simulateHistory(then);
  const id = await storeJob({ kind: "rewind_exchange", input: { region: REGION, to: at } });
  // The exchange wakes with the old, expired hold, before it learns how the hold ended.
  const input = { region: REGION, to: at } as const;
  const part = async (progress: unknown) =>
    rewindPart(testContext, input, { ...(await jobRow(id)), progress }, Date.now());
  const first = await part(null);
  const second = await part("progress" in first ? first.progress : null);
  await exchange()
    .restart(("progress" in second ? (second.progress as { instance: string }) : null)!.instance)
    .catch(() => {});
  await endHold(leadId);
  await runAlarm(leadId, 5);
  await runJob({ kind: "rewind_exchange", input: { region: REGION, to: at } });
  expect(stripe.refunds).toEqual([]);
  expect((await pat.settle(holdId)).status).toBe("sold");
  expect(await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId))).toHaveLength(1);
});

test("row 45: a rewind that ends an old hold while its payment is being cancelled does not refund the payment", async () => {
  const leadId = await listedLead();
  const pat = await cardBuyer();
  const { holdId, intentId } = await pat.opened(leadId);
  const then = await readTables();
  const at = Date.now();
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  await writeDecisions();
  await simulateHistory(then);
  const input = { region: REGION, to: at } as const;
  const job = await jobRow(await storeJob({ kind: "rewind_exchange", input }));
  let progress: unknown = null;
  const goOn = async () => {
    const step = await rewindPart(testContext, input, { ...job, progress }, Date.now());
    progress = "progress" in step ? step.progress : null;
    return progress !== null;
  };
  await goOn();
  await goOn();
  await exchange()
    .restart((progress as unknown as { instance: string }).instance)
    .catch(() => {});
  // Its alarm asks Stripe to cancel the payment of the old hold. The job ends that hold at the same time.
  await endHold(leadId);
  stripe.runDuringNext("cancel", async () => {
    while (await goOn());
  });
  await runAlarm(leadId, 5);
  expect(progress).toBeNull();
  expect(await exchange().statesOf([leadId])).toEqual([{ leadId, state: "withdrawn" }]);
  expect(stripe.refunds).toEqual([]);
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  expect(purchase).toMatchObject({ paymentStatus: "completed" });
});

test("row 45: rewound to a hold whose payment has since bought the lead, the lead stays sold in D1", async () => {
  const leadId = await listedLead();
  const pat = await cardBuyer();
  const { holdId, intentId } = await pat.opened(leadId);
  const then = await readTables();
  const at = Date.now();
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  await writeDecisions();
  await simulateHistory(then);
  const job = await runJob({ kind: "rewind_exchange", input: { region: REGION, to: at } });
  expect(job).toMatchObject({ state: "done", result: { taken_off_again: 1 } });
  await runAlarm(leadId, 2);
  expect(await rowOf(leadId)).toMatchObject({ status: "sold", listingState: "closed" });
  expect(await exchange().statesOf([leadId])).toEqual([{ leadId, state: "withdrawn" }]);
  const log = await db.select().from(auditLog).where(eq(auditLog.subjectId, leadId));
  expect(log.map(({ action }) => action)).not.toContain("lead.withdrawn");
});

test.each(["mustTake", "opened"] as const)(
  "row 45: no rewind starts while a buyer holds a lead (%s)",
  async (how) => {
    const leadId = await listedLead();
    const { holdId } = await (await cardBuyer())[how](leadId);
    const asked = await simulateHistory(new Map());
    const job = await runJob({ kind: "rewind_exchange", input: { region: REGION, to: Date.now() - 1000 } });
    expect(job).toMatchObject({ state: "waiting", result: { minutes_waited_for_payers: 1 } });
    expect(asked).toHaveLength(1);
    await exchange().decide({ type: "release", leadId, holdId, cause: "failed" });
    await evictDurableObject(exchange());
  },
);

/** Starts a rewind while a decision has waited for D1 since `queuedAt`. */
async function rewindWithUnwritten(queuedAt: number) {
  await runInDurableObject(exchange(), (_, { storage: { sql } }) => {
    const row =
      "INSERT OR REPLACE INTO outbox (lead_id, version, projection, queued_at) VALUES ('x', 1, '{}', ?)";
    sql.exec(row, queuedAt);
  });
  return runJob({ kind: "rewind_exchange", input: { region: REGION, to: Date.now() - 1000 } });
}

test("row 45: no rewind starts while D1 lacks a decision of the exchange, unless it has lacked it for long", async () => {
  const asked = await simulateHistory(new Map());
  const waits = { state: "waiting", result: { minutes_waited_for_outbox: 1 } };
  expect(await rewindWithUnwritten(Date.now())).toMatchObject(waits);
  expect(asked).toHaveLength(1);
  expect(await rewindWithUnwritten(Date.now() - 11 * MINUTE_MS)).toMatchObject({ result: { rewound: 1 } });
});

test("row 45: repeating a part does no harm", async () => {
  const id = await listed();
  const at = Date.now();
  await writeDecisions();
  await simulateHistory(await readTables());
  const job = await storeJob({ kind: "rewind_exchange", input: { region: REGION, to: at } });
  const input = { region: REGION, to: at } as const;
  const part = async (progress: unknown) =>
    rewindPart(testContext, input, { ...(await jobRow(job)), progress }, Date.now());
  const next = (step: Awaited<ReturnType<typeof part>>) => ("progress" in step ? step.progress : null);
  let progress: unknown = null;
  do {
    const once = await part(progress);
    // The response was lost, so the part runs again. A restart applies to one instance, which is gone by the second
    // call.
    const isRewound = (next(once) as { step?: string } | null)?.step === "restart";
    const again = isRewound ? once : await part(progress);
    expect(next(again)).toEqual(next(once));
    progress = next(again);
  } while (progress !== null);
  await resumeRegion(testContext, REGION, { by: null, now: Date.now() });
  expect(await buy(id)).toBe(201);
});

test("row 45: D1 follows the decisions of a rewound exchange about a lead that D1 had listed late", async () => {
  const id = await listed();
  const then = await readTables();
  const at = Date.now();
  const pat = await cardBuyer();
  await pat.close((await pat.mustTake(id)).holdId);
  // The write of the first listing was lost, so the sweep listed the lead with its version after the hold.
  await db.update(leads).set({ listingState: "pending", exchangeVersion: 0 }).where(eq(leads.id, id));
  await runSweeps(testEnv, Date.now());
  await writeDecisions();
  await simulateHistory(then);
  await runJob({ kind: "rewind_exchange", input: { region: REGION, to: at } });
  await runJob({ kind: "resume_region", input: { region: REGION } });
  expect(await buy(id)).toBe(201);
  expect(await rowOf(id)).toMatchObject({ status: "sold", listingState: "closed" });
});

test("row 45: a lead that expires between the restore and the comparison expires in D1 as well", async () => {
  const id = await listed();
  const then = await readTables();
  for (const row of then.get("listings")!) if (row.lead_id === id) row.expires_at = 1;
  const pat = await cardBuyer();
  await pat.close((await pat.mustTake(id)).holdId);
  // As above: D1 has the lead with its version after the hold.
  await db.update(leads).set({ listingState: "pending", exchangeVersion: 0 }).where(eq(leads.id, id));
  await runSweeps(testEnv, Date.now());
  await writeDecisions();
  await simulateHistory(then);
  const input = { region: REGION, to: Date.now() } as const;
  const job = await jobRow(await storeJob({ kind: "rewind_exchange", input }));
  let progress: unknown = null;
  do {
    const step = await rewindPart(testContext, input, { ...job, progress }, Date.now());
    progress = "progress" in step ? step.progress : null;
    if ((progress as { at?: unknown } | null)?.at === null) await runAlarm(id);
  } while (progress !== null);
  expect(await exchange().statesOf([id])).toEqual([{ leadId: id, state: "expired" }]);
  expect(await rowOf(id)).toMatchObject({ status: "expired", listingState: "closed" });
});

test("row 45: a lead that was moved away and back is offered again, if the restored exchange had just lost it", async () => {
  const id = await listed();
  const byUserId = (await insertUser(db, { isSuperAdmin: true })).id;
  await moveLead(testContext, id, { byUserId, region: "parramatta" });
  const then = await readTables();
  await moveLead(testContext, id, { byUserId, region: REGION });
  await writeDecisions();
  await simulateHistory(then);
  await runJob({ kind: "rewind_exchange", input: { region: REGION, to: Date.now() } });
  await runJob({ kind: "resume_region", input: { region: REGION } });
  await runSweeps(testEnv, Date.now());
  expect(await buy(id)).toBe(201);
});

test("row 45: an overloaded exchange is not asked at once to restart again", async () => {
  let calls = 0;
  const restart = () => {
    calls += 1;
    return Promise.reject(Object.assign(new Error("Durable Object is overloaded"), { overloaded: true }));
  };
  const namespace = { idFromName: () => "", get: () => ({ restart }) };
  const env = { ...testContext, LEAD_EXCHANGE: namespace as unknown as Bindings["LEAD_EXCHANGE"] };
  const input = { region: REGION, to: Date.now() - 1000 } as const;
  const job = await jobRow(await storeJob({ kind: "rewind_exchange", input }));
  const part = rewindPart(env, input, { ...job, progress: { step: "restart", instance: "a" } }, Date.now());
  await expect(part).rejects.toThrow("overloaded");
  expect(calls).toBe(1);
});

test("row 45: without a history, as on this machine, nothing changes", async () => {
  const id = await listed();
  const job = await runJob({ kind: "rewind_exchange", input: { region: REGION, to: Date.now() - 1000 } });
  expect(job).toMatchObject({ state: "failed", result: { no_history_here: 1 } });
  expect(await isPaused()).toBe(false);
  expect(await buy(id)).toBe(201);
});

test("row 45: a rewound exchange that wakes before it is paused takes no money for a sold lead", async () => {
  const leadId = await listedLead();
  const then = await readTables();
  const at = Date.now();
  const pat = await cardBuyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  await writeDecisions();
  await simulateHistory(then);
  const input = { region: REGION, to: at } as const;
  const job = await jobRow(await storeJob({ kind: "rewind_exchange", input }));
  let progress: unknown = null;
  // Up to the restore. Then the cron ends, and the exchange wakes without its pause.
  for (let parts = 0; parts < 2; parts++) {
    const step = await rewindPart(testContext, input, { ...job, progress }, Date.now());
    progress = "progress" in step ? step.progress : null;
  }
  await exchange()
    .restart((progress as { instance: string }).instance)
    .catch(() => {});

  const order = { leadId, amount: 5000 };
  const rival = await cardBuyer();
  const refused = async (who: typeof pat) => {
    const response = await who.as("POST", "/api/create-payment-intent", order);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  expect([await refused(pat), await refused(rival)]).toEqual([
    [409, "already_bought"],
    [409, "lead_taken"],
  ]);
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  await runJob({ kind: "rewind_exchange", input });
});
