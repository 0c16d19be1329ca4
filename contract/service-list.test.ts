import { expect, test } from "vitest";

import { joinServices } from "./service-list.ts";

test.each([
  [["Landscaping"], "Landscaping"],
  [["Hedge and tree trimming"], "Hedge and tree trimming"],
  [["lawn mowing", "landscaping"], "lawn mowing and landscaping"],
  [["lawn mowing", "landscaping", "lawn care"], "lawn mowing, landscaping and lawn care"],
  [["lawn mowing", "hedge and tree trimming"], "lawn mowing, and hedge and tree trimming"],
  [["Lawn mowing", "Hedge and tree trimming"], "Lawn mowing, and hedge and tree trimming"],
  [["hedge and tree trimming", "lawn mowing"], "hedge and tree trimming, and lawn mowing"],
])("%j is joined for a sentence", (names, sentence) => {
  expect(joinServices(names)).toBe(sentence);
});
