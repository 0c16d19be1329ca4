/** Service pages and their prices, as a visitor without script reads them. */
import { describe, expect, test } from "vitest";

import { priceExamples, SERVICE_PRICES, SERVICES } from "../contract/catalogue.ts";
import { SERVICE_LINKS } from "../web/site/service-links.ts";
import { SERVICE_TEXTS } from "../web/services/service-texts.ts";
import { textBlocks } from "../testing/page-text.ts";
import { type BrowserFixture, setUpFixture } from "../testing/product/browser-fixture.ts";

const read = async ({ product }: BrowserFixture, path: string) => (await fetch(product.url + path)).text();

/** Returns the rows of a document's tables without their headings, each with the texts of its cells. */
function tableRows(html: string): string[][] {
  const bodies = [...html.matchAll(/<tbody>(.*?)<\/tbody>/gs)].map(([, body]) => body!).join("");
  return [...bodies.matchAll(/<tr\b.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd]\b.*?<\/t[hd]>/gs)].map(([cell]) => textBlocks(cell).join(" ")),
  );
}

describe("with example prices", () => {
  const fixture = setUpFixture();

  test("the list of services has each one's smallest and largest example, by name", async () => {
    const expected = SERVICE_LINKS.map(({ id }) => {
      const examples = priceExamples(id);
      return [
        SERVICES[id],
        ...[examples[0]!, examples.at(-1)!].map(({ job, dollars }) => `${job} $${dollars}`),
      ];
    });
    expect(tableRows(await read(fixture, "/services"))).toEqual(expected);
  });

  test("each service page says what to prepare, and has one table: its own example jobs by name", async () => {
    for (const { id, href } of SERVICE_LINKS) {
      const html = await read(fixture, href);
      expect(textBlocks(html), href).toEqual(expect.arrayContaining([...SERVICE_TEXTS[id].prepare]));
      expect(tableRows(html), href).toEqual(
        priceExamples(id).map(({ job, dollars }) => [job, `$${dollars}`]),
      );
    }
  });
});

describe("before an operator stands behind the examples", () => {
  const fixture = setUpFixture({ SAMPLE_CLAIMS: "off" });

  test("the table has the starting prices alone", async () => {
    const html = await read(fixture, "/service/pressure-washing");
    expect(tableRows(html)).toEqual(
      SERVICE_LINKS.map(({ id }) => [SERVICES[id], `from $${SERVICE_PRICES[id].fromDollars}`]),
    );
    expect(html).toContain(`<tr data-current="true"><th scope="row">${SERVICES.pressure_washing}</th>`);
    expect(textBlocks(html).join("\n")).not.toContain("For example");
  });
});
