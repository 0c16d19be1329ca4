import { expect, test } from "vitest";

import { selectItems } from "./use-gradual-list.ts";

const items = (ids: string) => [...ids].map((id) => ({ id }));
const text = (shown: readonly { id: string }[]) => shown.map(({ id }) => id).join("");

test("keeps known items and adds a few new ones, from the top", () => {
  const known = new Set("xyz");
  expect(text(selectItems(items("abcdxyz"), known, 2))).toBe("abxyz");
  expect(text(selectItems(items("abcdxyz"), new Set("abxyz"), 2))).toBe("abcdxyz");
  expect(text(selectItems(items("axbyczd"), known, 2))).toBe("axbyz");
  expect(text(selectItems(items("abcdxyz"), known, 0))).toBe("xyz");
});

test("removes items at once, and returns the same list if there is nothing to add", () => {
  expect(text(selectItems(items("xz"), new Set("xyz"), 2))).toBe("xz");
  const all = items("xyz");
  expect(selectItems(all, new Set("xyz"), 2)).toBe(all);
  expect(selectItems(all, new Set("yz"), 2)).toBe(all);
});
