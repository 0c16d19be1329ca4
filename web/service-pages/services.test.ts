import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";

import { PAGE_SERVICES, SERVICES } from "../../contract/catalogue.ts";
import { textBlocks } from "../../testing/page-text.ts";
import { formatFromPrice } from "../lib/format-money.ts";
import { resolveClaims } from "../site/claims.ts";
import { priceExamples, SERVICE_LIST, serviceOf } from "../services/services.ts";
import { PriceTable } from "./price-table.tsx";
import { ServicePreparation, ServicePrices } from "./service-details.tsx";

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
    SERVICE_LIST.map((service) => [
      SERVICES[service.id],
      ...[priceExamples(service)[0]!, priceExamples(service).at(-1)!].map(
        ({ job, dollars }) => `${job} ${formatFromPrice(dollars)}`,
      ),
    ]),
  );
});

test.each(PAGE_SERVICES)(
  "the page of %s says what to prepare, and has its own example jobs by name",
  (service) => {
    const preparation = renderToStaticMarkup(createElement(ServicePreparation, { service }));
    expect(textBlocks(preparation)).toEqual(expect.arrayContaining([...serviceOf(service).prepare]));
    expect(tableRows(renderToStaticMarkup(createElement(ServicePrices, { service })))).toEqual(
      priceExamples(serviceOf(service)).map(({ job, dollars }) => [job, formatFromPrice(dollars)]),
    );
  },
);

test("until an operator confirms the price examples, the table shows only starting prices", () => {
  mocks.isSpecified = false;
  const html = renderToStaticMarkup(createElement(ServicePrices, { service: "pressure_washing" }));
  mocks.isSpecified = true;
  expect(tableRows(html)).toEqual(
    SERVICE_LIST.map(({ id, fromDollars }) => [SERVICES[id], `from ${formatFromPrice(fromDollars)}`]),
  );
  expect(html).toContain(`<tr data-current="true"><th scope="row">${SERVICES.pressure_washing}</th>`);
  expect(textBlocks(html).join("\n")).not.toContain("For example");
});

test("each service with a page is listed under its own ID", () => {
  expect(PAGE_SERVICES.map((id) => serviceOf(id).id)).toEqual(PAGE_SERVICES);
});

test.each(SERVICE_LIST)("price examples of $id start at its from-price and increase", (service) => {
  const dollars = priceExamples(service).map((example) => example.dollars);
  expect(dollars[0]).toBe(service.fromDollars);
  expect(dollars).toHaveLength(4);
  expect(dollars).toEqual(dollars.toSorted((a, b) => a - b));
  expect(new Set(dollars).size).toBe(dollars.length);
  expect(dollars.every((price) => price % 5 === 0)).toBe(true);
});

test("no two service pages share any text", () => {
  const lines = SERVICE_LIST.flatMap((service) => [
    ...service.questions.flatMap(({ question, answer }) => [question, answer]),
    ...priceExamples(service).map(({ job }) => job),
    ...service.includes,
    ...service.excludes,
    ...service.prepare,
  ]);
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
});
