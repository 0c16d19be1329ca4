import { expect, test } from "vitest";

import { contactPreferenceText } from "./lead-labels.ts";

test.each([
  ["text", "evening", "Prefers a text in the evening"],
  ["call", "anytime", "Prefers a call"],
  ["email", null, "Prefers an email"],
  [null, "morning", "Prefers the morning"],
  [null, "anytime", null],
  [null, null, null],
] as const)("a customer who wants %s and %s: %s", (contactMethod, contactTime, text) => {
  expect(contactPreferenceText({ contactMethod, contactTime })).toBe(text);
});
