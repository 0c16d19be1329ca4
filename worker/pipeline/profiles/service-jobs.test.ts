/** Jobs on service pages through the front door: the photos that both sides agreed to show, and no others. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { DAY_MS } from "../../../contract/durations.ts";
import type { ShownJob } from "../../../contract/profiles.ts";
import { call, callerFor, db, testEnv } from "../../../testing/client.ts";
import { leadRow, setLead } from "../../../testing/facts.ts";
import { requestLink, runSweep, runSweeps } from "../../../testing/drivers.ts";
import { PublicPages } from "../../../testing/main.ts";
import { storeJob } from "../../../testing/operator.ts";
import { insertJob } from "../../../testing/shown-records.ts";
import { insertUser } from "../../../testing/world.ts";
import { photos, providerProfiles } from "../../tables.ts";

const NOW = Date.now();

const read = async (service = "lawn_mowing") =>
  (await call("GET", `/api/profiles/jobs/${service}`)).json<ShownJob[]>();

/** Stores a job. Returns it with both sides' steps. */
async function makeJob(options: Parameters<typeof insertJob>[1] = {}) {
  const job = await insertJob(db, options);
  const as = await callerFor(job.ownerId);
  const token = await requestLink(job.leadId, NOW);
  return {
    ...job,
    token,
    as,
    offer: (id: string, isOffered = true) => as("PATCH", `/api/photos/${id}`, { isOffered }),
    agree: (id: string, isAgreed = true) =>
      call("POST", `/api/photos/${id}/agreement`, { body: { token, isAgreed } }),
  };
}

/** Stores a job whose photos both sides agreed to show. */
async function makeShownJob(...args: Parameters<typeof makeJob>) {
  const job = await makeJob(...args);
  for (const id of [job.before, job.after]) {
    expect((await job.offer(id)).status).toBe(200);
    expect((await job.agree(id)).status).toBe(200);
  }
  return job;
}

const clear = () => db.delete(photos);

/** Runs a step that must purge the service pages. */
async function expectPurge(step: () => Promise<unknown>) {
  PublicPages.expired.length = 0;
  await step();
  expect(PublicPages.expired.flat()).toContain("shown-jobs");
}

test("a job is shown while both sides agree to a photo from before and one from after", async () => {
  await clear();
  const { before, after, offer, agree, slug } = await makeJob();
  const shown: ShownJob = {
    slug,
    name: "Green Lawns",
    suburb: "Leichhardt",
    before: { id: before, width: 1600, height: 1200 },
    after: { id: after, width: 1600, height: 1200 },
  };
  expect(await read()).toEqual([]);
  await offer(before);
  await offer(after);
  expect(await read(), "the provider's consent alone").toEqual([]);
  await agree(after);
  expect(await read(), "no photo from before").toEqual([]);
  await expectPurge(() => agree(before));
  expect(await read()).toEqual([shown]);
  expect(await read("hedge_trimming"), "another service").toEqual([]);

  await expectPurge(() => agree(after, false));
  expect(await read(), "the customer withdrew").toEqual([]);
  await agree(after);
  expect(await read()).toEqual([shown]);
  await expectPurge(() => offer(before, false));
  expect(await read(), "the provider withdrew").toEqual([]);
  await offer(before);
  await agree(before);
  expect(await read()).toEqual([shown]);
});

test("a deleted photo, a hidden page and an erased customer end it", async () => {
  await clear();
  const first = await makeShownJob();
  expect(await read()).toHaveLength(1);
  const hide = (hiddenAt: number | null) =>
    db.update(providerProfiles).set({ hiddenAt }).where(eq(providerProfiles.slug, first.slug));
  await hide(NOW);
  expect(await read(), "a hidden page").toEqual([]);
  await hide(null);
  expect(await read()).toHaveLength(1);
  await expectPurge(() => first.as("DELETE", `/api/photos/${first.before}`));
  expect(await read(), "a deleted photo").toEqual([]);

  const second = await makeShownJob();
  expect(await read()).toHaveLength(1);
  const lead = await leadRow(second.leadId);
  const body = { token: second.token, lastDigits: lead.customerPhone.replaceAll(/\D/g, "").slice(-4) };
  const erasure = await call("POST", "/api/requests/erase", { body });
  expect(await erasure.json()).toEqual({ outcome: "erased" });
  expect(await read(), "an erased customer").toEqual([]);
});

test("an erasure by an operator or after the retention period, and a removed purchase, end it", async () => {
  await clear();
  const env = { ...testEnv, SITE_HOST: "naturestrip.example" };
  const byOperator = await makeShownJob();
  const lead = await leadRow(byOperator.leadId);
  await storeJob({ kind: "erase_person", input: { phone: lead.customerPhone, email: null } });
  await expectPurge(() => runSweeps(Date.now(), env));
  expect(await read(), "erased by an operator").toEqual([]);

  const old = await makeShownJob();
  await setLead(old.leadId, { createdAt: NOW - 400 * DAY_MS });
  const retention = { ...env, SOLD_RETENTION_DAYS: "365" };
  await expectPurge(() => runSweep("retention", Date.now(), retention));
  expect(await read(), "after the retention period").toEqual([]);

  const removed = await makeShownJob();
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  await expectPurge(() => admin("DELETE", `/api/lead-purchases/${removed.purchaseId}`));
  expect(await read(), "a removed purchase").toEqual([]);
  expect((await call("GET", `/api/photos/${removed.after}/small`)).status).toBe(404);
});

test("a request for several services is not shown, and only the two newest jobs are", async () => {
  await clear();
  const several = { serviceType: ["lawn_mowing", "hedge_trimming"] };
  const [oldest, newest, middle] = [
    await makeShownJob({ at: NOW - 3 }),
    await makeShownJob({ at: NOW - 1 }),
    await makeShownJob({ at: NOW - 2 }),
  ];
  await makeShownJob({ ...several, at: NOW });
  expect((await read()).map(({ after }) => after.id)).toEqual([newest.after, middle.after]);
  await newest.agree(newest.after, false);
  expect((await read()).map(({ after }) => after.id)).toEqual([middle.after, oldest.after]);
  expect(await read("hedge_trimming")).toEqual([]);
  expect((await call("GET", "/api/profiles/jobs/unknown")).status).toBe(404);
});
