import { expect, test } from "vitest";

import {
  DEFAULT_TEMPLATES,
  fillTemplate,
  MAX_TEMPLATES,
  TEMPLATE_MAX,
  textTemplatesSchema,
} from "./text-templates.ts";

const known = { name: "Anna", suburb: "Leichhardt", business: "Green Strip" };

test("a message names the customer, their suburb and the business", () => {
  expect(fillTemplate("Hi {name}, {business} about {Suburb}. {other}", known)).toBe(
    "Hi Anna, Green Strip about Leichhardt. {other}",
  );
});

test("a missing value leaves no gap in the sentence", () => {
  expect(fillTemplate("Hi {name}, your garden in {suburb}. Bye", { ...known, name: "", suburb: null })).toBe(
    "Hi, your garden. Bye",
  );
});

test("a customer's name is inserted as typed", () => {
  expect(fillTemplate("{name}!", { ...known, name: "$& {suburb}" })).toBe("$& {suburb}!");
});

test("a business can save the default templates unchanged", () => {
  expect(textTemplatesSchema.safeParse({ templates: DEFAULT_TEMPLATES }).success).toBe(true);
  const text = "x".repeat(TEMPLATE_MAX);
  const one = { name: "Long", text };
  const most = Array.from({ length: MAX_TEMPLATES }, () => one);
  expect(textTemplatesSchema.safeParse({ templates: most }).success).toBe(true);
  for (const templates of [[...most, one], [{ name: "Long", text: `${text}x` }], [{ name: " ", text }]]) {
    expect(textTemplatesSchema.safeParse({ templates }).success).toBe(false);
  }
});
