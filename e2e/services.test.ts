/** Service pages and their prices, as a visitor without script reads them. */
import { describe, expect, test } from "vitest";

import { SERVICE_PRICES, SERVICES } from "../contract/catalogue.ts";
import { SERVICE_LINKS } from "../web/site/service-links.ts";
import { SERVICE_TEXTS } from "../web/services/service-texts.ts";
import { openWindow, setUpFixture } from "../testing/product/browser-fixture.ts";

const PHONE = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false };

describe("with example prices", () => {
  const fixture = setUpFixture();

  test("each service page and the list of services have a price for each service and property size", async () => {
    const page = await openWindow(fixture, PHONE);
    for (const path of ["/services", ...SERVICE_LINKS.map(({ href }) => href)]) {
      await page.goto(path);
      for (const { id } of SERVICE_LINKS) {
        const row = page.locator(".price-table tr").filter({ hasText: SERVICES[id] });
        const prices = await row.locator("td").allInnerTexts();
        expect(prices.map((text) => text.replace(/\s*\$\d+$/, ""))).toEqual([
          "Small",
          "Medium",
          "Large",
          "Extra large",
        ]);
        const dollars = prices.map((text) => Number(/\$(\d+)$/.exec(text)![1]));
        expect(dollars[0], `${path}, ${id}`).toBe(SERVICE_PRICES[id].fromDollars);
        expect(dollars).toEqual(dollars.toSorted((a, b) => a - b));
      }
    }
  });

  test("each service page says what to prepare, and marks its own prices", async () => {
    const page = await openWindow(fixture, PHONE);
    for (const { id, href } of SERVICE_LINKS) {
      await page.goto(href);
      const tips = page.getByRole("region", { name: "Before they come" }).getByRole("listitem");
      expect(await tips.allInnerTexts()).toEqual(SERVICE_TEXTS[id].prepare);
      expect(await page.locator(".price-table [data-current] th").innerText()).toBe(SERVICES[id]);
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
    expect(await page.getByText("For example").count()).toBe(0);
  });
});
