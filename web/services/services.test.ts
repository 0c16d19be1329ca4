import { expect, test } from "vitest";

import { PAGE_SERVICES, priceExamples, SERVICE_PRICES } from "../../contract/catalogue.ts";
import { SERVICE_QUESTIONS } from "./service-questions.ts";
import { SERVICE_TEXTS } from "./service-texts.ts";

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
