import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";

import { PAGE_SERVICES, priceExamples, SERVICE_PRICES, SERVICES } from "../../contract/catalogue.ts";
import { textBlocks } from "../../testing/page-text.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { resolveClaims } from "../site/claims.ts";
import { SERVICE_LINKS } from "../site/service-links.ts";
import { PriceTable } from "./price-table.tsx";
import { ServicePreparation, ServicePrices } from "./service-details.tsx";
import { SERVICE_QUESTIONS } from "./service-questions.ts";
import { SERVICE_TEXTS } from "./service-texts.ts";

const mocks = vi.hoisted(() => ({ isSpecified: true }));
vi.mock("../site/site-claims.ts", () => ({ useClaims: () => resolveClaims({}, mocks.isSpecified) }));

/** Returns the rows of a document's tables without their headings, each with the texts of its cells. */
function tableRows(html: string): string[][] {
  const bodies = [...html.matchAll(/<tbody>(.*?)<\/tbody>/gs)].map(([, body]) => body!).join("");
  return [...bodies.matchAll(/<tr\b.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd]\b.*?<\/t[hd]>/gs)].map(([cell]) => textBlocks(cell).join(" ")),
  );
}

test("the list of services has each one's smallest and largest example, by name", () => {
  expect(tableRows(renderToStaticMarkup(createElement(PriceTable)))).toEqual(
    SERVICE_LINKS.map(({ id }) => [
      SERVICES[id],
      ...[priceExamples(id)[0]!, priceExamples(id).at(-1)!].map(
        ({ job, dollars }) => `${job} ${formatFromPrice(dollars)}`,
      ),
    ]),
  );
});

test.each(PAGE_SERVICES)(
  "the page of %s says what to prepare, and has its own example jobs by name",
  (service) => {
    const preparation = renderToStaticMarkup(createElement(ServicePreparation, { service }));
    expect(textBlocks(preparation)).toEqual(expect.arrayContaining([...SERVICE_TEXTS[service].prepare]));
    expect(tableRows(renderToStaticMarkup(createElement(ServicePrices, { service })))).toEqual(
      priceExamples(service).map(({ job, dollars }) => [job, formatFromPrice(dollars)]),
    );
  },
);

test("until an operator confirms the price examples, the table shows only starting prices", () => {
  mocks.isSpecified = false;
  const html = renderToStaticMarkup(createElement(ServicePrices, { service: "pressure_washing" }));
  mocks.isSpecified = true;
  expect(tableRows(html)).toEqual(
    SERVICE_LINKS.map(({ id }) => [SERVICES[id], `from ${formatFromPrice(SERVICE_PRICES[id].fromDollars)}`]),
  );
  expect(html).toContain(`<tr data-current="true"><th scope="row">${SERVICES.pressure_washing}</th>`);
  expect(textBlocks(html).join("\n")).not.toContain("For example");
});

test.each(PAGE_SERVICES)("price examples of %s start at its from-price and increase", (id) => {
  const dollars = priceExamples(id).map((example) => example.dollars);
  expect(dollars[0]).toBe(SERVICE_PRICES[id].fromDollars);
  expect(dollars).toHaveLength(4);
  expect(dollars).toEqual(dollars.toSorted((a, b) => a - b));
  expect(new Set(dollars).size).toBe(dollars.length);
  expect(dollars.every((price) => price % 5 === 0)).toBe(true);
});

test("no two service pages share any text", () => {
  const lines = PAGE_SERVICES.flatMap((id) => [
    ...SERVICE_QUESTIONS[id].flatMap(({ question, answer }) => [question, answer]),
    ...priceExamples(id).map(({ job }) => job),
    ...SERVICE_TEXTS[id].includes,
    ...SERVICE_TEXTS[id].excludes,
    ...SERVICE_TEXTS[id].prepare,
  ]);
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
});
