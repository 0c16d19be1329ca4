import { readKeyRing } from "../../platform/key-ring.ts";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";

import { openBankDetails, sealBankDetails } from "../../identity/account/bank-details.ts";
import { runSweeps } from "../../cron.ts";
import type { Bindings } from "../../platform/env.ts";
import { auditLog, bankDetails, leads, operatorJobs, pausedRegions } from "../../platform/db/schema.ts";
import { db, testEnv } from "../../../testing/client.ts";
import { runJob, jobRow, storeJob } from "../../../testing/operator.ts";
import { insertPendingLead, insertUser } from "../../../testing/world.ts";

const key = (fill: number) => Buffer.alloc(32, fill).toString("base64");
const OLD = `k1:${key(1)}`;
const NEW = `k2:${key(2)}`;
const DETAILS = {
  bankName: "Harbour Bank",
  accountName: "D Mason",
  bsb: "062000",
  accountNumber: "12345678",
};

const detailsOf = async (userId: string) =>
  (await db.select().from(bankDetails).where(eq(bankDetails.userId, userId)))[0]!;

test("a rotation encrypts every row with the new key, preserves the contents, and counts what it cannot open", async () => {
  const users = await Promise.all(Array.from({ length: 60 }, () => insertUser(db)));
  for (const { id } of users) {
    const sealed = await sealBankDetails(readKeyRing(OLD)!, id, DETAILS);
    await db.insert(bankDetails).values({ userId: id, ...sealed, updatedAt: 1 });
  }
  const stranger = await insertUser(db);
  const lost = await sealBankDetails(readKeyRing(`k0:${key(9)}`)!, stranger.id, DETAILS);
  await db.insert(bankDetails).values({ userId: stranger.id, ...lost, updatedAt: 1 });

  const id = await storeJob({ kind: "reseal_bank_details", input: {} });
  await runSweeps({ ...testEnv, BANK_DETAILS_KEYS: `${NEW},${OLD}` }, Date.now());
  expect(await jobRow(id)).toMatchObject({ state: "done", result: { resealed: 60, unopened: 1 } });
  for (const user of users.slice(0, 3)) {
    const row = await detailsOf(user.id);
    expect(row).toMatchObject({ keyId: "k2", updatedAt: 1 });
    // The old key can be removed from the key ring.
    expect(await openBankDetails(readKeyRing(NEW)!, user.id, row)).toEqual(DETAILS);
  }
  expect(await detailsOf(stranger.id)).toMatchObject({ keyId: "k0", ciphertext: lost.ciphertext });
  const lines = await db.select().from(auditLog).where(eq(auditLog.subjectId, users[0]!.id));
  expect(lines).toMatchObject([
    { action: "user.bank_details_resealed", before: { keyId: "k1" }, after: { keyId: "k2" } },
  ]);

  const again = await storeJob({ kind: "reseal_bank_details", input: {} });
  await runSweeps({ ...testEnv, BANK_DETAILS_KEYS: `${NEW},${OLD}` }, Date.now());
  expect((await jobRow(again)).result).toEqual({ resealed: 0, unopened: 1 });
});

test("a rotation without a key ring fails immediately", async () => {
  const id = await storeJob({ kind: "reseal_bank_details", input: {} });
  const { BANK_DETAILS_KEYS: _, ...without } = testEnv;
  await runSweeps(without, Date.now());
  expect(await jobRow(id)).toMatchObject({ state: "failed", result: { bank_details_keys_not_set: 1 } });
});

test("an operator pauses and resumes a region: requests wait, then all are listed", async () => {
  const lead = await insertPendingLead(db, {}, Date.now() - 60_000);
  const { region } = lead;
  expect(await runJob({ kind: "pause_region", input: { region, reason: "a flood" } })).toMatchObject({
    state: "done",
  });
  expect(await db.select().from(pausedRegions)).toMatchObject([{ region, reason: "a flood" }]);
  const listingState = async () =>
    (await db.select().from(leads).where(eq(leads.id, lead.id)))[0]!.listingState;
  const early = await insertPendingLead(db, {}, Date.now() - 60_000);
  await runSweeps(testEnv, Date.now());
  expect((await db.select().from(leads).where(eq(leads.id, early.id)))[0]!.listingState).toBe("pending");
  await runJob({ kind: "resume_region", input: { region } });
  await runSweeps(testEnv, Date.now());
  expect(await listingState()).toBe("listed");
  expect((await db.select().from(leads).where(eq(leads.id, early.id)))[0]!.listingState).toBe("listed");
});

test("a region already paused or open is not counted as paused or opened", async () => {
  const pause = { kind: "pause_region", input: { region: "macarthur", reason: "a flood" } } as const;
  const resume = { kind: "resume_region", input: { region: "macarthur" } } as const;
  const results: unknown[] = [];
  for (const job of [pause, pause, resume, resume]) results.push((await runJob(job)).result);
  expect(results).toEqual([{ paused: 1 }, { already_paused: 1 }, { resumed: 1 }, { already_open: 1 }]);
});

/** Sets a finished job back to waiting, as if its result had not been stored. */
const runAgain = (id: string, input: object) =>
  db.update(operatorJobs).set({ state: "waiting", leasedUntil: 0, input }).where(eq(operatorJobs.id, id));

describe("row 38: an operator's pause or resume runs again after a later one", () => {
  const region = "parramatta";
  const PAUSE = { kind: "pause_region", input: { region, reason: "a flood" } } as const;
  const RESUME = { kind: "resume_region", input: { region } } as const;
  const isPaused = async () =>
    (await db.select().from(pausedRegions).where(eq(pausedRegions.region, region))).length > 0;
  const runRequest = async (job: typeof PAUSE | typeof RESUME, at: number) => {
    const id = await storeJob(job);
    await db.update(operatorJobs).set({ createdAt: at }).where(eq(operatorJobs.id, id));
    return id;
  };
  afterEach(async () => {
    await db.delete(pausedRegions);
    await db.delete(operatorJobs);
  });

  test("a repeated pause does not close a region that was resumed since", async () => {
    const now = Date.now();
    const pause = await runRequest(PAUSE, now - 3_000);
    await runSweeps(testEnv, now);
    const lead = await insertPendingLead(
      db,
      { customerAddress: "1 Main Street, Parramatta NSW 2150" },
      now - 60_000,
    );
    await runRequest(RESUME, now - 2_000);
    await runSweeps(testEnv, now);
    expect(await isPaused()).toBe(false);
    await runAgain(pause, PAUSE.input);
    await runSweeps(testEnv, now);
    expect(await isPaused()).toBe(false);
    expect(await jobRow(pause)).toMatchObject({ state: "done", result: { paused: 1, overtaken: 1 } });
    // The exchange is resumed too: it lists a pending lead.
    expect(lead.region).toBe(region);
    await runSweeps(testEnv, now + 60_000);
    expect((await db.select().from(leads).where(eq(leads.id, lead.id)))[0]!.listingState).toBe("listed");
  });

  test("a pause that failed before a resume was requested no longer does anything", async () => {
    const now = Date.now();
    const pause = await runRequest(PAUSE, now - 3_000);
    await db
      .update(operatorJobs)
      .set({ leasedUntil: now + 30_000 })
      .where(eq(operatorJobs.id, pause));
    await runRequest(RESUME, now - 2_000);
    await runSweeps(testEnv, now);
    await runSweeps(testEnv, now + 60_000);
    expect(await jobRow(pause)).toMatchObject({ state: "done", result: { overtaken: 1 } });
    expect(await isPaused()).toBe(false);
  });

  test("a repeated resume does not open a region that was paused since", async () => {
    const now = Date.now();
    const resume = await runRequest(RESUME, now - 3_000);
    await runSweeps(testEnv, now);
    await runRequest(PAUSE, now - 2_000);
    await runSweeps(testEnv, now);
    await runAgain(resume, RESUME.input);
    await runSweeps(testEnv, now);
    expect(await isPaused()).toBe(true);
    expect(await jobRow(resume)).toMatchObject({ result: { already_open: 1, overtaken: 1 } });
  });
});

test("an unknown job, or one without a known region, is rejected and does nothing", async () => {
  for (const job of [
    { kind: "drop_everything", input: {} },
    { kind: "pause_region", input: { region: "atlantis", reason: "sunk" } },
    { kind: "reproject", input: { since: "yesterday" } },
  ]) {
    const id = await storeJob(job as Parameters<typeof storeJob>[0]);
    await runSweeps(testEnv, Date.now());
    expect(await jobRow(id), job.kind).toMatchObject({
      state: "failed",
      result: { unusable_input: 1 },
      input: null,
    });
  }
  expect(await db.select().from(pausedRegions)).toEqual([]);
});

test("a late run leases its job for the usual time, so no other run takes it", async () => {
  const id = await storeJob({ kind: "reproject", input: { since: 0 } });
  const unreachable = {
    idFromName: () => "",
    get: () => ({ pageRecords: () => Promise.reject(new Error("Away")) }),
  };
  const env = { ...testEnv, LEAD_EXCHANGE: unreachable as unknown as Bindings["LEAD_EXCHANGE"] };
  const started = Date.now();
  await runSweeps(env, started - 10 * 60_000);
  const row = await jobRow(id);
  expect(row).toMatchObject({ state: "waiting", attempts: 1 });
  expect(row.leasedUntil).toBeGreaterThan(started + 50_000);
});
