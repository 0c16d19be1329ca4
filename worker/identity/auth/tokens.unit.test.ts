import { expect, test } from "vitest";

import { hashSessionToken, hashToken, newToken } from "./tokens.ts";

test("a cached session hash equals the token's hash, also after more tokens than the cache holds", () => {
  const first = newToken();
  const tokens = [first, ...Array.from({ length: 6_000 }, () => newToken()), "x".repeat(10_000)];
  for (const token of [...tokens, first]) expect(hashSessionToken(token)).toBe(hashToken(token));
});
