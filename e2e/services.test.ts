/** Service pages and their prices, as a visitor without script reads them. */
import { describe, expect, test } from "vitest";

import { priceExamples, SERVICE_PRICES, SERVICES } from "../contract/catalogue.ts";
import { SERVICE_LINKS } from "../web/site/service-links.ts";
import { SERVICE_TEXTS } from "../web/services/service-texts.ts";
import { openWindow, setUpFixture } from "../testing/product/browser-fixture.ts";

const PHONE = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false };

describe("with example prices", () => {
  const fixture = setUpFixture();

  test("the list of services has each one's smallest and largest example, by name", async () => {
    const page = await openWindow(fixture, PHONE);
    await page.goto("/services");
    for (const { id } of SERVICE_LINKS) {
      const row = page.locator(".price-table tr").filter({ hasText: SERVICES[id] });
      const examples = priceExamples(id);
      expect(await row.locator("td").allTextContents()).toEqual(
        [examples[0]!, examples.at(-1)!].map(({ job, dollars }) => `${job} $${dollars}`),
      );
    }
  });

  test("each service page says what to prepare, and has one table: its own example jobs by name", async () => {
    const page = await openWindow(fixture, PHONE);
    for (const { id, href } of SERVICE_LINKS) {
      await page.goto(href);
      const tips = page.getByRole("region", { name: "Before your provider comes" }).getByRole("listitem");
      expect(await tips.allInnerTexts()).toEqual(SERVICE_TEXTS[id].prepare);
      const prices = page.getByRole("region", { name: "What it might cost" });
      expect(await prices.getByRole("table").count(), href).toBe(1);
      expect(await prices.locator("tbody tr").allInnerTexts()).toEqual(
        priceExamples(id).map(({ job, dollars }) => `${job}\t$${dollars}`),
      );
    }
  });
});

describe("before an operator stands behind the examples", () => {
  const fixture = setUpFixture({ SAMPLE_CLAIMS: "off" });

  test("the table has the starting prices alone", async () => {
    const page = await openWindow(fixture, PHONE);
    await page.goto("/service/pressure-washing");
    expect(await page.locator(".price-table td").allInnerTexts()).toEqual(
      SERVICE_LINKS.map(({ id }) => `from $${SERVICE_PRICES[id].fromDollars}`),
    );
    expect(await page.locator(".price-table [data-current] th").innerText()).toBe(SERVICES.pressure_washing);
    expect(await page.getByText("For example").count()).toBe(0);
  });
});
