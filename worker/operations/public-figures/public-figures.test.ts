/** The figures of the public pages, as a visitor's browser reads them after the nightly run. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import { type JobPrice, type PublicFigures } from "../../../contract/public-figures.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import { call, db, testEnv } from "../../../testing/client.ts";
import { runSweeps } from "../../../testing/drivers.ts";
import { purchaseRow, setLead } from "../../../testing/facts.ts";
import { insertClockedSale, insertReviewedSale } from "../../../testing/clocked-sales.ts";
import { jobRow, runJob } from "../../../testing/operator.ts";
import { insertPendingLead, insertUser } from "../../../testing/world.ts";
import {
  leadPurchases,
  leads,
  operatorJobs,
  providerChecks,
  publicFigures,
  requestLinks,
  reviews,
} from "../../tables.ts";

const NOW = Date.now();
const TODAY = sydneyDay(NOW);
/** The first minute of today, which is after the figures' period. */
const MIDNIGHT = startOfSydneyDay(TODAY)!;
const LAST_WEEK = MIDNIGHT - 7 * DAY_MS;
const PERIOD = { fromDay: addDays(TODAY, -365), toDay: addDays(TODAY, -1) };

const newBusinesses = (count: number) => Promise.all(Array.from({ length: count }, () => insertUser(db)));
const [pat, sam, kim, lee, max] = (await newBusinesses(5)) as [
  Awaited<ReturnType<typeof insertUser>>,
  ...Awaited<ReturnType<typeof insertUser>>[],
];

const readJson = async <T>(path: string) => (await (await call("GET", path)).json()) as T;
const readFigures = () => readJson<PublicFigures>("/api/public-figures");
const readPrices = (query: string) => readJson<JobPrice[]>(`/api/public-figures/prices?${query}`);

async function computedFigures(): Promise<PublicFigures> {
  expect(await runJob({ kind: "public_figures", input: {} })).toMatchObject({ state: "done" });
  return readFigures();
}

beforeEach(async () => {
  for (const table of [reviews, leadPurchases, requestLinks, leads, providerChecks, publicFigures])
    await db.delete(table);
});

async function addReviews(
  count: number,
  stars: number,
  more: { writtenAt?: number; hiddenRule?: "abuse"; hiddenAt?: number } = {},
) {
  for (let i = 0; i < count; i++)
    await insertReviewedSale(db, i % 2 ? pat : sam!, { stars, writtenAt: LAST_WEEK, ...more });
}

test("nineteen reviews are too few for a figure, and the twentieth shows the mean", async () => {
  await addReviews(15, 5);
  await addReviews(4, 3);
  // None of these counts: hidden, today's and too old.
  await addReviews(1, 1, { hiddenRule: "abuse", hiddenAt: NOW });
  await addReviews(1, 1, { writtenAt: MIDNIGHT });
  await addReviews(1, 1, { writtenAt: MIDNIGHT - 366 * DAY_MS });
  const before = await computedFigures();
  expect([before.rating, before.satisfaction]).toEqual([undefined, undefined]);

  await addReviews(1, 1);
  const { rating, satisfaction } = await computedFigures();
  expect(rating).toEqual({ value: (15 * 5 + 4 * 3 + 1) / 20, n: 20, businesses: 2, ...PERIOD });
  expect(satisfaction).toMatchObject({ value: 15 / 20, n: 20 });
});

test("a figure whose records went below twenty disappears, and so does one that is a week old", async () => {
  await addReviews(20, 4);
  expect((await computedFigures()).rating?.n).toBe(20);
  await db.update(publicFigures).set({ computedAt: NOW - 7 * DAY_MS - HOUR_MS });
  expect(await readFigures()).toEqual({});
  const [one] = await db.select().from(reviews).limit(1);
  await db.delete(reviews).where(eq(reviews.id, one!.id));
  expect((await computedFigures()).rating).toBeUndefined();
});

test("the nightly run computes the figures once a night", async () => {
  await addReviews(20, 4);
  const tonight = { ...testEnv, NIGHTLY_AT: "00:00" };
  await runSweeps(NOW, tonight);
  expect((await readFigures()).rating?.value).toBe(4);
  await runSweeps(NOW, tonight);
  const jobs = await db.select().from(operatorJobs);
  expect(jobs.filter(({ id }) => id.startsWith("job_public_figures_"))).toHaveLength(1);
});

test("row 80: a figure that fails keeps its earlier value, and the job goes on with it later", async () => {
  const shown = async () => {
    const { rating, satisfaction, ratedProviders } = await readFigures();
    return [rating?.n, satisfaction?.n, ratedProviders?.n];
  };
  await addReviews(20, 4);
  await runJob({ kind: "public_figures", input: {} });
  const providers = (await readFigures()).ratedProviders?.n;
  expect(await shown()).toEqual([20, 20, providers]);
  await addReviews(1, 4);
  await testEnv.DB.prepare(
    `CREATE TRIGGER down BEFORE INSERT ON public_figures WHEN new.key = 'satisfaction'
      BEGIN SELECT RAISE(ABORT, 'D1 is down'); END`,
  ).run();
  const { id, state, result } = await runJob({ kind: "public_figures", input: {} });
  expect({ state, result }).toEqual({ state: "waiting", result: { figures_computed: 1, errors: 1 } });
  expect(await shown(), "the earlier figure stays whole").toEqual([21, 20, providers]);
  await testEnv.DB.prepare("DROP TRIGGER down").run();
  await runSweeps(Date.now() + HOUR_MS);
  expect(await jobRow(id)).toMatchObject({ state: "done" });
  expect(await shown()).toEqual([21, 21, providers]);
});

/** Adds requests of last week that a provider took after an hour and called an hour later. */
async function addTaken(count: number, sale: Partial<typeof leadPurchases.$inferInsert> = {}) {
  for (let i = 0; i < count; i++)
    await insertClockedSale(db, i % 2 ? pat : sam!, {
      purchasedAt: LAST_WEEK,
      calledAt: LAST_WEEK + HOUR_MS,
      ...sale,
    });
}

/** Adds requests of last week that no provider took. */
async function addUntaken(count: number) {
  for (let i = 0; i < count; i++) {
    const { id } = await insertPendingLead(db, {}, LAST_WEEK);
    await setLead(id, { listingState: "listed", quarantineReasons: [] });
  }
}

test("the times include the customers whom no provider called", async () => {
  await addTaken(19);
  await addUntaken(1);
  const figures = await computedFigures();
  expect(figures.connected).toEqual({ value: 0.95, n: 20, businesses: 2, ...PERIOD });
  expect(figures.foundWithin).toMatchObject({ value: HOUR_MS, n: 20 });
  expect(figures.customerCalled).toMatchObject({ value: 2 * HOUR_MS, n: 20 });
  expect(figures.leads).toMatchObject({ value: 20, n: 20 });
  expect([figures.timeToCall, figures.winRate], "only 19 were taken").toEqual([undefined, undefined]);

  await addUntaken(1);
  expect((await computedFigures()).foundWithin, "19 of 21 are fewer than 95 of 100").toBeUndefined();
  await addUntaken(18);
  const mostlyUnsold = await computedFigures();
  expect(mostlyUnsold.customerCalled, "fewer than half were called").toBeUndefined();
  expect(mostlyUnsold.connected?.value).toBeCloseTo(19 / 39);
});

test("a rescued request is one request: it found its first provider, and its second one called", async () => {
  await addTaken(19);
  const first = await insertClockedSale(db, pat, { purchasedAt: LAST_WEEK });
  const { leadId } = await purchaseRow(first);
  const later = LAST_WEEK + 5 * HOUR_MS;
  await insertClockedSale(
    db,
    sam!,
    { purchasedAt: later, calledAt: later + HOUR_MS },
    { rescuedFromId: leadId },
  );
  const figures = await computedFigures();
  expect(figures.leads?.n).toBe(20);
  expect(figures.foundWithin?.value).toBe(HOUR_MS);
  expect(figures.timeToCall, "both sales count, and one has no call").toMatchObject({
    value: HOUR_MS,
    n: 21,
  });
});

test("the share of booked jobs counts every lead that a provider took, except the provider's own", async () => {
  await addTaken(5, { jobBookedAt: LAST_WEEK + DAY_MS });
  await addTaken(5, { jobCompleteAt: LAST_WEEK + DAY_MS });
  await addTaken(10);
  await addTaken(5, { mode: "manual", jobBookedAt: LAST_WEEK });
  await addTaken(5, { removedAt: NOW, jobBookedAt: LAST_WEEK });
  const { winRate, jobs } = await computedFigures();
  expect(winRate).toMatchObject({ value: 0.5, n: 20, businesses: 2 });
  expect(jobs, "five jobs are too few").toBeUndefined();
});

const addCheck = (businessId: string, kind: "insurance" | "police", more = {}) =>
  db
    .insert(providerChecks)
    .values({ id: `chk_${kind}_${businessId}`, businessId, kind, state: "valid", createdAt: 1, ...more });

test("a provider is insured while insurance and police check are valid", async () => {
  const many = await newBusinesses(20);
  for (const business of many) await insertClockedSale(db, business, { purchasedAt: LAST_WEEK });
  const [both, one, ended] = many as [(typeof many)[number], ...typeof many];
  await addCheck(both.id, "insurance", { endsOn: TODAY });
  await addCheck(both.id, "police");
  await addCheck(one!.id, "insurance");
  await addCheck(ended!.id, "police");
  await addCheck(ended!.id, "insurance", { endsOn: addDays(TODAY, -1) });
  expect((await computedFigures()).insured).toMatchObject({ value: 1 / 20, n: 20, businesses: 20 });
});

/** Adds booked mowing jobs in Leichhardt, for $40, $41, $42 and so on, in turn by these businesses. */
async function addJobs(count: number, businesses: readonly (typeof pat)[], serviceType = ["lawn_mowing"]) {
  for (let i = 0; i < count; i++)
    await insertClockedSale(
      db,
      businesses[i % businesses.length]!,
      { purchasedAt: LAST_WEEK, jobBookedAt: LAST_WEEK + DAY_MS, customerPaymentAmountCents: 4000 + 100 * i },
      { serviceType },
    );
}

test("a price needs twenty jobs of five businesses", async () => {
  await addJobs(19, [pat, sam!, kim!, lee!, max!]);
  // With two services, the price is not that of one.
  await addJobs(5, [pat], ["lawn_mowing", "hedge_trimming"]);
  await computedFigures();
  expect(await readPrices("service=lawn_mowing")).toEqual([]);

  await addJobs(1, [pat]);
  const { lowPrice } = await computedFigures();
  const [price, ...rest] = await readPrices("service=lawn_mowing");
  expect(rest).toEqual([]);
  expect(price).toEqual({
    service: "lawn_mowing",
    council: "Inner West Council",
    value: 4800,
    n: 20,
    businesses: 5,
    ...PERIOD,
  });
  expect(await readPrices("council=Inner%20West%20Council")).toEqual([price]);
  expect(await readPrices("council=Waverley%20Council")).toEqual([]);
  expect(await readPrices("service=hedge_trimming")).toEqual([]);
  expect(lowPrice, "two of twenty jobs cost as much or less").toMatchObject({ value: 4000, n: 20 });
});

test("the price of fewer than five businesses stays secret", async () => {
  await addJobs(24, [pat, sam!, kim!, lee!]);
  const { lowPrice, jobs } = await computedFigures();
  expect([lowPrice, jobs]).toEqual([undefined, undefined]);
  expect(await readPrices("service=lawn_mowing")).toEqual([]);
});
