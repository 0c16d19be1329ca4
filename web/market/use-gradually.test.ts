import { expect, test } from "vitest";

import { admit } from "./use-gradually.ts";

const items = (ids: string) => [...ids].map((id) => ({ id }));
const text = (shown: readonly { id: string }[]) => shown.map(({ id }) => id).join("");

test("what stood in the list stays, and a few of what is new come in, the uppermost first", () => {
  const known = new Set("xyz");
  expect(text(admit(items("abcdxyz"), known, 2))).toBe("abxyz");
  expect(text(admit(items("abcdxyz"), new Set("abxyz"), 2))).toBe("abcdxyz");
  expect(text(admit(items("axbyczd"), known, 2))).toBe("axbyz");
  expect(text(admit(items("abcdxyz"), known, 0))).toBe("xyz");
});

test("what has left is gone at once, and a list with nothing to add is itself", () => {
  expect(text(admit(items("xz"), new Set("xyz"), 2))).toBe("xz");
  const all = items("xyz");
  expect(admit(all, new Set("xyz"), 2)).toBe(all);
  expect(admit(all, new Set("yz"), 2)).toBe(all);
});
