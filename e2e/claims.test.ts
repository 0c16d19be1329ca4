/** The claims of the public pages, in production and locally: proved by records, decided by an operator, and listed. */
import { eq, ne } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";

import { DAY_MS, HOUR_MS } from "../contract/durations.ts";
import { startOfSydneyDay, sydneyDay } from "../contract/sydney-time.ts";
import { findPageClaims, isClaimOf, STATEMENT_IDS } from "../testing/page-claims.ts";
import { PUBLIC_PAGE_LIST, type PublicPage } from "../testing/routes/pages.ts";
import { textBlocks } from "../testing/page-text.ts";
import { insertClockedSale, insertReviewedSale } from "../testing/clocked-sales.ts";
import { OWN_PRODUCT, setUpFixture } from "../testing/product/browser-fixture.ts";
import { insertProfile, insertUser } from "../testing/world.ts";
import { CLAIM_IDS, type Claim, type ClaimId, CLAIMS, REVIEWS } from "../web/site/claims.ts";
import { operatorJobs, providerChecks, suburbs } from "../worker/tables.ts";
import type { UserRow } from "../worker/platform/caller.ts";

const LAST_WEEK = startOfSydneyDay(sydneyDay(Date.now()))! - 7 * DAY_MS;

type Fixture = ReturnType<typeof setUpFixture>;
const read = async ({ product }: Fixture, path: string) => (await fetch(product.url + path)).text();

/** Stores a business with a public page, which the suburb page links. */
async function insertProfiledBusiness({ product: { db } }: Fixture): Promise<UserRow> {
  const business = await insertUser(db, { companyName: "Claims Garden" });
  const [parramatta] = await db.select().from(suburbs).where(eq(suburbs.slug, "parramatta"));
  await insertProfile(db, business, { slug: "claims-garden", suburbId: parramatta!.id }, [
    parramatta!.council,
  ]);
  return business;
}

type Thing = { "@type": string; aggregateRating?: { ratingValue: number; reviewCount: number } };
function findRatings(html: string) {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  return blocks.flatMap(([, json]) => (JSON.parse(json!) as Thing).aggregateRating ?? []);
}

/** Reads every page. Returns its claims and statements and all HTML, and fails for a claim that no list has. */
async function readEveryPage(fixture: Fixture) {
  const claims = new Map<PublicPage, Set<ClaimId>>();
  const statements = new Set<string>();
  const documents: string[] = [];
  for (const { pattern: page, examples } of PUBLIC_PAGE_LIST) {
    const found = new Set<ClaimId>();
    for (const path of examples) {
      const html = await read(fixture, path);
      documents.push(html);
      const result = findPageClaims(page, textBlocks(html));
      expect(
        result.unlisted,
        `${path}: add these to CLAIMS, or to STATEMENTS in testing/page-claims.ts`,
      ).toEqual([]);
      for (const id of result.claims) found.add(id);
      for (const id of result.statements) statements.add(`${id} ${page}`);
    }
    claims.set(page, found);
  }
  return { claims, statements, documents };
}

const listedOn = (page: PublicPage, isShown: (claim: Claim) => boolean) =>
  CLAIM_IDS.filter((id) => isClaimOf(page, id) && isShown(CLAIMS[id])).toSorted();

describe("in production", () => {
  const fixture = setUpFixture({ SAMPLE_CLAIMS: "off" });
  let businesses: UserRow[];

  beforeAll(async () => {
    const { db } = fixture.product;
    businesses = [await insertProfiledBusiness(fixture)];
    for (let i = 1; i < 20; i++) businesses.push(await insertUser(db));
    for (const { id: businessId } of businesses)
      for (const kind of ["insurance", "police"] as const)
        await db
          .insert(providerChecks)
          .values({ id: `${kind}_${businessId}`, businessId, kind, state: "valid", createdAt: LAST_WEEK });
  });

  let nights = 0;
  async function spendNight() {
    const { db, runSchedule } = fixture.product;
    nights += 1;
    const id = `job_night_${nights}`;
    await db
      .insert(operatorJobs)
      .values({ id, kind: "public_figures", input: {}, createdAt: nights, updatedAt: nights });
    await expect
      .poll(async () => {
        await runSchedule();
        return (await db.select().from(operatorJobs)).find((job) => job.id === id)?.state;
      })
      .toBe("done");
  }

  test("without records, no page makes a claim of the specification", async () => {
    await spendNight();
    const { claims, documents } = await readEveryPage(fixture);
    expect([...claims.values()].flatMap((found) => [...found])).toEqual([]);
    for (const html of documents) {
      expect(findRatings(html)).toEqual([]);
      for (const gone of ["3 slots", "4.8/5", "4.9/5", "500+", ...REVIEWS.map(({ name }) => name)])
        expect(html).not.toContain(gone);
    }
  });

  test("the home page shows the mean of twenty reviews in its text and its structured data", async () => {
    const { db } = fixture.product;
    // (12 × 5 + 7 × 4 + 2) / 20 = 4.5
    const stars = [..."55555555555544444442"].map(Number);
    for (const [i, business] of businesses.entries())
      await insertReviewedSale(db, business, { stars: stars[i]!, writtenAt: LAST_WEEK });
    await spendNight();
    const home = await read(fixture, "/");
    expect(textBlocks(home).join("\n")).toContain("4.5/5 from 20 reviews in the last 12 months");
    expect(findRatings(home)).toEqual([
      { "@type": "AggregateRating", bestRating: 5, ratingValue: 4.5, reviewCount: 20 },
    ]);
  });

  test("with records, every page shows its figures, and nothing else that a list lacks", async () => {
    const { db } = fixture.product;
    const [parramatta] = await db.select().from(suburbs).where(eq(suburbs.slug, "parramatta"));
    // Twenty suburbs in all, for the figure of the locations.
    const others = await db.select().from(suburbs).where(ne(suburbs.slug, "parramatta")).limit(19);
    const places = [...Array.from({ length: 24 }, () => parramatta!), ...others];
    for (const [i, { id: suburbId }] of places.entries())
      await insertClockedSale(
        db,
        businesses[i % 20]!,
        {
          purchasedAt: LAST_WEEK,
          calledAt: LAST_WEEK + HOUR_MS,
          jobBookedAt: LAST_WEEK + DAY_MS,
          jobCompleteAt: LAST_WEEK + 2 * DAY_MS,
          customerPaymentAmountCents: 6000 + i,
        },
        { serviceType: ["lawn_mowing"], suburbId },
      );
    await spendNight();
    const { claims } = await readEveryPage(fixture);
    for (const [page, found] of claims) {
      // The service pages show the mean beside the sample reviews, which are off here.
      const figures = listedOn(page, ({ figure }) => figure !== undefined).filter(
        (id) => id !== "rating" || page === "/",
      );
      expect([...found].toSorted(), page).toEqual(figures);
    }
    const suburb = textBlocks(await read(fixture, "/location/parramatta"));
    expect(suburb).toContain("Lawn mowing: $61 or less for half of 24 jobs in the last 12 months");
  });
});

describe("locally", () => {
  const fixture = setUpFixture(OWN_PRODUCT);
  beforeAll(async () => {
    const { id: businessId } = await insertProfiledBusiness(fixture);
    // Suburb pages list only businesses with a checked ABN or a paid lead.
    await fixture.product.db.insert(providerChecks).values({
      id: "abn",
      businessId,
      kind: "abn",
      state: "valid",
      seenOn: "2026-03-02",
      createdAt: LAST_WEEK,
    });
  });

  test("the pages make exactly the specification's claims of the list, and every statement of the list", async () => {
    const { claims, statements } = await readEveryPage(fixture);
    for (const [page, found] of claims)
      expect([...found].toSorted(), page).toEqual(listedOn(page, ({ isNew }) => !isNew));
    const listed = PUBLIC_PAGE_LIST.flatMap(({ pattern: page }) =>
      STATEMENT_IDS.filter((id) => isClaimOf(page, id)).map((id) => `${id} ${page}`),
    );
    expect([...statements].toSorted()).toEqual(listed.toSorted());
  });
});
