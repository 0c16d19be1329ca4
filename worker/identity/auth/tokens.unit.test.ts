import { expect, test } from "vitest";

import { hashSessionToken, hashToken, newToken } from "./tokens.ts";

test("a cached session hash equals the token's hash, even when the cache is full", () => {
  const first = newToken();
  const tokens = [first, ...Array.from({ length: 6_000 }, () => newToken()), "x".repeat(10_000)];
  for (const token of [...tokens, first]) expect(hashSessionToken(token)).toBe(hashToken(token));
});
