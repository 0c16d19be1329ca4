import { beforeAll, expect, test } from "vitest";

import type { TileCounts } from "../../contract/pipeline.ts";
import { SALES_STAGES } from "../../contract/stages.ts";
import { call, callerFor, callWith, db, testEnv } from "../../testing/client.ts";
import { setPurchase } from "../../testing/facts.ts";
import { countingDb } from "../../testing/counting-db.ts";
import { fillPipeline } from "../../testing/pipeline.ts";
import { insertManualPurchase, insertUser } from "../../testing/world.ts";
import type { PurchasedLeadView } from "../selling/purchases/views.ts";

type Page = { items: PurchasedLeadView[]; cursor: string | null; counts: TileCounts; serverNow: number };
type Changes = { items: PurchasedLeadView[]; removed: string[]; cursor: string | null; serverNow: number };

/** A business with more purchases than a page shows, or than a search scans at once. */
const LARGE = 1200;
const large = await insertUser(db);
const asLarge = await callerFor(large.id);
const owner = await insertUser(db);
const asOwner = await callerFor(owner.id);

beforeAll(() => fillPipeline(testEnv.DB, large, LARGE));

async function pages(as: typeof asOwner, query: string): Promise<Page[]> {
  const all: Page[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const tail = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const page = (await (await as("GET", `/api/pipeline?${query}${tail}`)).json()) as Page;
    all.push(page);
    cursor = page.cursor;
  }
  return all;
}

const items = async (as: typeof asOwner, query: string) =>
  (await pages(as, query)).flatMap((page) => page.items);

test("a page of a large pipeline takes two statements and reads only as many rows as its size", async () => {
  for (const [query, rowsAllowed] of [
    ["limit=50", 50],
    ["limit=50&tile=job_booked", 50],
    ["limit=50&tile=final&sort=oldest", 50],
    ["limit=50&sort=next", 50],
    ["limit=50&sort=updated", 50],
    ["limit=50&q=nobody-is-called-this", 500],
    ["limit=50&tile=declined&sort=updated", 500],
  ] as const) {
    let cursor: string | null = "";
    for (const page of ["first page", "second page"]) {
      const { db: DB, cost } = countingDb(testEnv.DB);
      const tail = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
      const options = { cookie: asLarge.cookie };
      const answer = await callWith({ DB }, "GET", `/api/pipeline?${query}${tail}`, options);
      ({ cursor } = (await answer.json()) as Page);
      // One more statement reads the session.
      expect(cost.statements, `${query}, ${page}`).toBe(3);
      // Two rows per purchase, including its lead, and at most nine rows of counts.
      expect(cost.rowsRead, `${query}, ${page}`).toBeLessThanOrEqual(2 * rowsAllowed + 30);
    }
  }
});

test("all pages together have every purchase once, in every order and on every tile", async () => {
  const all = await items(asLarge, "limit=200");
  expect(new Set(all.map(({ id }) => id)).size).toBe(LARGE);
  const times = all.map(({ purchasedAt }) => purchasedAt);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  const oldest = await items(asLarge, "limit=200&sort=oldest");
  expect(oldest.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toReversed());
  const byChange = await items(asLarge, "limit=200&sort=updated");
  expect(byChange.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  const dated = (await items(asLarge, "limit=200&sort=next")).map(
    ({ nextActionAt }) => nextActionAt ?? Infinity,
  );
  expect(dated).toEqual(dated.toSorted((a, b) => a - b));
  expect(dated).toHaveLength(LARGE);
  const { counts } = (await pages(asLarge, "limit=1&tile=called&q=zzz"))[0]!;
  for (const stage of SALES_STAGES) {
    const onTile = await items(asLarge, `limit=200&tile=${stage}`);
    expect(onTile.length, stage).toBe(counts[stage]);
    expect(onTile.every(({ salesStage, isArchived }) => salesStage === stage && !isArchived)).toBe(true);
  }
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(LARGE);
});

test("a search finds names, notes, suburbs and numbers in any spelling, within the business", async () => {
  const startedAt = Date.now() - 3_600_000;
  const id = await insertManualPurchase(db, owner, {
    stage: "called",
    startedAt,
    notes: "Gate code 4711",
    request: { customerName: "André O'Neill", customerPhone: "+61 491 570 006" },
  });
  await insertManualPurchase(db, owner, {
    stage: "called",
    startedAt,
    request: { customerName: "Bea Other" },
  });
  for (const q of [
    "andre",
    "ANDRÉ",
    "o'neill andré",
    "oneill",
    "oneil",
    "oneihl",
    "4711",
    "0491 570",
    "+61491570006",
  ]) {
    const found = await items(asOwner, `q=${encodeURIComponent(q)}`);
    expect(
      found.map((purchase) => purchase.id),
      q,
    ).toEqual([id]);
  }
  expect(await items(asOwner, "q=leichhardt")).toHaveLength(2);
  expect(await items(await callerFor((await insertUser(db)).id), "q=andre")).toEqual([]);
});

test("service, suburb, age and tile filter the list together", async () => {
  const business = await insertUser(db);
  const as = await callerFor(business.id);
  const add = (startedAt: number, service: "hedge_trimming" | "lawn_mowing", stage: "called" | "declined") =>
    insertManualPurchase(db, business, { stage, startedAt, request: { serviceType: [service] } });
  const DAY = 86_400_000;
  const fresh = await add(Date.now() - 1000, "hedge_trimming", "called");
  const week = await add(Date.now() - 3 * DAY, "hedge_trimming", "declined");
  const old = await add(Date.now() - 40 * DAY, "lawn_mowing", "called");
  const ids = async (query: string) => (await items(as, query)).map(({ id }) => id);
  expect(await ids("service=hedge_trimming")).toEqual([fresh, week]);
  expect(await ids("age=day")).toEqual([fresh]);
  expect(await ids("age=week")).toEqual([fresh, week]);
  expect(await ids("age=older")).toEqual([old]);
  expect(await ids("suburb=Leichhardt&tile=called&sort=oldest")).toEqual([old, fresh]);
  expect(await ids("suburb=Nowhere")).toEqual([]);
});

test("changes list what was moved, added and removed since, page by page", async () => {
  const business = await insertUser(db);
  const as = await callerFor(business.id);
  const startedAt = 1_790_000_000_000;
  const [moved, removed] = [
    await insertManualPurchase(db, business, { stage: "called", startedAt }),
    await insertManualPurchase(db, business, { stage: "called", startedAt }),
  ];
  await insertManualPurchase(db, business, { stage: "called", startedAt });
  const since = Date.now();
  await as("PATCH", `/api/lead-purchases/${moved}/sales-stage`, { salesStage: "quote_sent" });
  await as("DELETE", `/api/lead-purchases/${removed}`);
  const changes = (await (await as("GET", `/api/pipeline/changes?since=${since}`)).json()) as Changes;
  expect(changes).toMatchObject({
    items: [{ id: moved, salesStage: "quote_sent" }],
    removed: [removed],
    cursor: null,
  });

  let cursor: string | null = "";
  const seen: string[] = [];
  while (cursor !== null) {
    const tail: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const page = (await (await asLarge("GET", `/api/pipeline/changes?since=0${tail}`)).json()) as Changes;
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.cursor;
  }
  expect(new Set(seen).size).toBe(LARGE);
  expect(seen).toHaveLength(LARGE);
});

test("the CSV file has every purchase of the filter, one per line", async () => {
  const business = await insertUser(db);
  const as = await callerFor(business.id);
  await insertManualPurchase(db, business, {
    stage: "called",
    startedAt: 1_790_000_000_000,
    notes: 'Said "maybe",\nrings back',
    request: { customerName: "=HYPERLINK(1)", customerPhone: "+61 491 570 006" },
  });
  await insertManualPurchase(db, business, { stage: "declined", startedAt: 1_790_000_000_000 });
  const response = await as("GET", "/api/pipeline/export.csv?tile=called");
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("Content-Disposition")).toMatch(
    /^attachment; filename="pipeline-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  expect(text.startsWith('\uFEFF"Customer","Phone",')).toBe(true);
  expect(text).toContain(`\r\n"'=HYPERLINK(1)","0491 570 006",`);
  expect(text).toContain('"Said ""maybe"",\nrings back"');
  expect(text.split("\r\n")).toHaveLength(3);

  const whole = await (await asLarge("GET", "/api/pipeline/export.csv")).text();
  expect(whole.trimEnd().split("\r\n")).toHaveLength(LARGE + 1);
});

test("an unknown order, tile, age or cursor is rejected", async () => {
  for (const query of ["sort=price", "tile=finalised", "age=decade", "cursor=!!", "limit=0", "limit=501"]) {
    const response = await call("GET", `/api/pipeline?${query}`, { cookie: asOwner.cookie });
    expect(response.status, query).toBe(400);
  }
});

test("a removed purchase is on no page", async () => {
  const business = await insertUser(db);
  const id = await insertManualPurchase(db, business, { stage: "called", startedAt: 1 });
  await setPurchase(id, { removedAt: 2 });
  expect(await items(await callerFor(business.id), "")).toEqual([]);
});
