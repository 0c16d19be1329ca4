/** The demo's year of history, as its visitors, its providers and the nightly checks see it. */
import { eq, gt, inArray } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";

import { clockState } from "../contract/call-state.ts";
import { formatAbn } from "../contract/checks.ts";
import { SALES_STAGES } from "../contract/stages.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../contract/sydney-time.ts";
import { call, callerFor, db } from "../testing/client.ts";
import { runSweeps, storePhoto } from "../testing/drivers.ts";
import { fillDemoWorld } from "../testing/demo.ts";
import { runJob } from "../testing/operator.ts";
import { pngPhoto } from "../testing/photos.ts";
import {
  attention,
  leadPurchases,
  leads,
  messageChannels,
  photos,
  providerChecks,
  reviews,
  users,
} from "./tables.ts";

const NOW = Date.now();

beforeAll(async () => {
  await fillDemoWorld({
    db,
    addDrawing: (owner, _, now) => storePhoto(owner, pngPhoto(120, 90), now),
    now: NOW,
  });
  await runSweeps(NOW);
});

const readJson = async (path: string) => (await call("GET", path)).json();

test("the demo has at least forty purchases, with each stage, a rescue and answers of customers", async () => {
  const purchases = await db.select().from(leadPurchases);
  expect(purchases.length).toBeGreaterThanOrEqual(40);
  const bought = purchases.filter(({ mode }) => mode !== "manual");
  expect([...new Set(bought.map(({ salesStage }) => salesStage))].toSorted()).toEqual(
    [...SALES_STAGES].toSorted(),
  );
  expect(bought.filter(({ callClock }) => callClock?.state === "rescued")).toHaveLength(1);
  expect(bought.filter(({ callClock }) => callClock?.answer === "called").length).toBeGreaterThan(5);
  const written = await db.select().from(reviews);
  expect(written.filter(({ reply }) => reply !== null)).toHaveLength(3);
});

test("the demo sends texts, so that developers can see them and reply", async () => {
  expect(await db.select().from(messageChannels)).toMatchObject([{ channel: "sms", isOn: true }]);
});

test("the nightly checks find nothing wrong in the demo, and no admin has to act", async () => {
  expect(await runJob({ kind: "public_figures", input: {} })).toMatchObject({ state: "done" });
  const recent = NOW - 45 * 24 * 60 * 60_000;
  expect(
    (await runJob({ kind: "reconcile", input: { since: recent, isFix: false, region: null } })).result,
  ).toMatchObject({
    differences: 0,
  });
  expect(await db.select().from(attention)).toEqual([]);
});

test("a business with a checked ABN has it on its account too, as an approval writes it", async () => {
  const checked = await db
    .select({ abn: users.abn, number: providerChecks.number })
    .from(providerChecks)
    .innerJoin(users, eq(users.id, providerChecks.businessId))
    .where(eq(providerChecks.kind, "abn"));
  expect(checked).toHaveLength(2);
  for (const { abn, number } of checked) expect(abn).toBe(formatAbn(number!));
});

test("both providers have a page with their checks and reviews, and visitors see figures", async () => {
  for (const [slug, count] of [
    ["mason-lawn-garden", 15],
    ["evergreen-crew", 5],
  ] as const) {
    const profile = (await readJson(`/api/profiles/${slug}`)) as {
      checks: { kind: string }[];
      reviews: { shown: number };
      logo: object | null;
      work: object[];
      jobs: { before: object[]; after: object[] }[];
    };
    expect(profile.checks.map(({ kind }) => kind)).toEqual(["abn", "insurance", "police"]);
    expect(profile.reviews.shown, slug).toBe(count);
    expect(profile.logo, slug).not.toBeNull();
    expect(profile.work.length, slug).toBeGreaterThan(1);
    expect(
      profile.jobs.map(({ before, after }) => [before.length, after.length]),
      slug,
    ).toContainEqual([1, 1]);
  }
  const figures = (await readJson("/api/public-figures")) as Record<string, { n: number }>;
  expect(Object.keys(figures)).toEqual(
    expect.arrayContaining(["rating", "winRate", "timeToCall", "customerCalled", "connected"]),
  );
});

test("the provider's day is full: clocks run, actions are due, and photos wait for both sides", async () => {
  const purchases = await db.select().from(leadPurchases);
  const clocks = purchases.map((purchase) => clockState(purchase));
  expect(clocks.filter((state) => state === "running")).toHaveLength(2);
  const tomorrow = startOfSydneyDay(addDays(sydneyDay(NOW), 1))!;
  const due = purchases.filter(({ nextActionAt }) => nextActionAt !== null && nextActionAt < tomorrow);
  expect(due.length).toBeGreaterThanOrEqual(4);
  const work = await db
    .select()
    .from(photos)
    .where(inArray(photos.kind, ["before", "after"]));
  expect(
    work.filter(({ providerAgreedAt, customerAgreedAt }) => providerAgreedAt && !customerAgreedAt),
  ).toHaveLength(2);
  const requests = await db.select().from(leads).where(gt(leads.photoCount, 0));
  expect(requests.filter(({ status }) => status === "available")).toHaveLength(2);
  expect(requests.filter(({ status }) => status === "sold")).toHaveLength(2);
});

test("the provider's figures and standing come from the history", async () => {
  const provider = (await db.select().from(users)).find(({ username }) => username === "demo-provider");
  const asProvider = await callerFor(provider!.id);
  const standing = (await (await asProvider("GET", "/api/figures/standing")).json()) as {
    total: { counted: number };
  };
  expect(standing.total.counted).toBeGreaterThan(20);
});
