import { expect, test } from "vitest";

import { admit } from "./use-gradually.ts";

const items = (ids: string) => [...ids].map((id) => ({ id }));
const text = (shown: readonly { id: string }[]) => shown.map(({ id }) => id).join("");

test("keeps known items and adds a few new ones, from the top", () => {
  const known = new Set("xyz");
  expect(text(admit(items("abcdxyz"), known, 2))).toBe("abxyz");
  expect(text(admit(items("abcdxyz"), new Set("abxyz"), 2))).toBe("abcdxyz");
  expect(text(admit(items("axbyczd"), known, 2))).toBe("axbyz");
  expect(text(admit(items("abcdxyz"), known, 0))).toBe("xyz");
});

test("removes items at once, and returns the same list if there is nothing to add", () => {
  expect(text(admit(items("xz"), new Set("xyz"), 2))).toBe("xz");
  const all = items("xyz");
  expect(admit(all, new Set("xyz"), 2)).toBe(all);
  expect(admit(all, new Set("yz"), 2)).toBe(all);
});
