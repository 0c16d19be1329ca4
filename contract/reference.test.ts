import { expect, test } from "vitest";

import { newReference, readReference } from "./reference.ts";

test("a reference has six unambiguous characters, and any spelling of it is read", () => {
  const made = Array.from({ length: 2_000 }, newReference);
  expect(new Set(made).size).toBeGreaterThan(1_990);
  for (const reference of made) {
    expect(reference).toMatch(/^[A-HJ-NP-Z2-9]{6}$/);
    for (const typed of [
      reference,
      reference.toLowerCase(),
      ` ${reference} `,
      `${reference.slice(0, 3)} ${reference.slice(3)}`,
      [...reference].join("-"),
    ])
      expect(readReference(typed), typed).toBe(reference);
  }
});

test.each(["Nguyen", "0412 345 678", "2040", "K7M2Q", "K7M2Q0", "K7M2QO", "lead_nsw_1", "Mary-Anne", ""])(
  "%j is not a reference",
  (typed) => {
    expect(readReference(typed)).toBeNull();
  },
);
