/** What a visitor meets on a suburb's page on a small phone: a short page, with the form near its top. */
import { inArray } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";

import { MAX_LOCAL_PROVIDERS } from "../contract/profiles.ts";
import { suburbs } from "../worker/tables.ts";
import { insertLocalProviders } from "../testing/shown-records.ts";
import { decode } from "../testing/page-text.ts";
import { openWindow, OWN_PRODUCT, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture(OWN_PRODUCT);

const PHONE = { width: 360, height: 740 };
const MAX_PAGE_PX = 6000;
const MAX_FORM_SCREENS = 1.5;

/** Coast, far west, snow country, city, tablelands, and a tiny place. */
const PLACES = ["byron-bay", "broken-hill", "jindabyne", "parramatta", "orange", "tilpa"];

beforeAll(async () => {
  const { db } = fixture.product;
  const places = await db.select().from(suburbs).where(inArray(suburbs.slug, PLACES));
  const councils = new Set(places.map(({ council }) => council));
  await insertLocalProviders(db, [...councils], places[0]!.id);
});

test("on a phone, a suburb's page is short with all providers, and its form begins within a screen and a half", async () => {
  const page = await openWindow(fixture, { viewport: PHONE });
  for (const slug of PLACES) {
    await page.goto(`/location/${slug}`);
    expect(await page.locator(".local-provider").count(), slug).toBe(MAX_LOCAL_PROVIDERS);
    // One answer at a time is open, so the questions stay closed.
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll<HTMLDetailsElement>("main details:not([name=faq])"))
        fold.open = true;
    });
    const [height, formTop] = await page.evaluate(() => [
      document.documentElement.scrollHeight,
      document.querySelector("#book")!.getBoundingClientRect().top + window.scrollY,
    ]);
    expect(height, slug).toBeLessThanOrEqual(MAX_PAGE_PX);
    expect(formTop, slug).toBeLessThanOrEqual(MAX_FORM_SCREENS * PHONE.height);
  }
});

test("the page answers in order: cost, how soon, who, what others say, what is special here, and the last offer", async () => {
  const page = await (await fetch(`${fixture.product.url}/location/byron-bay`)).text();
  const [html] = page.split("</main>");
  const titles = [...html!.matchAll(/<h[12][^>]*>(.*?)<\/h[12]>/gs)].map(([, title]) =>
    decode(title!.replaceAll(/<!-- -->|<[^>]*>/g, "")),
  );
  expect(titles.filter((title) => !/Providers who work|Why choose us|Frequently/.test(title))).toEqual([
    "Perfect Lawn Care in Byron Bay",
    "What it costs in Byron Bay",
    "Book a visit in Byron Bay",
    "How it works",
    "What customers say",
    "Lawns in Byron Bay",
    "Local information",
    "Location and contact",
    "Near Byron Bay",
    "Don't See Your Area?",
  ]);
});
