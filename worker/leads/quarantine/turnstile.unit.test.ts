/** The meaning of siteverify's responses. */
import { expect, test } from "vitest";

import { idempotencyKey, readVerdict } from "./turnstile.ts";

const EXPECTED = { hostname: "naturestrip.example", action: "quote" };
const GOOD = { success: true, "error-codes": [], ...EXPECTED };
const TESTED = { ...GOOD, hostname: "example.com", action: "", metadata: { result_with_testing_key: true } };

test.each<[string, unknown, "passed" | "failed" | "unavailable"]>([
  ["a token for this host and this form", GOOD, "passed"],
  ["a token for another site with our key", { ...GOOD, hostname: "elsewhere.example" }, "failed"],
  ["a token for another form", { ...GOOD, action: "booking" }, "failed"],
  ["a token without a host", { success: true }, "failed"],
  ["a made-up token", { success: false, "error-codes": ["invalid-input-response"] }, "failed"],
  ["an expired or used token", { success: false, "error-codes": ["timeout-or-duplicate"] }, "failed"],
  ["a failure without a reason", { success: false }, "failed"],
  ["a wrong secret", { success: false, "error-codes": ["invalid-input-secret"] }, "unavailable"],
  ["an internal error of Turnstile", { success: false, "error-codes": ["internal-error"] }, "unavailable"],
  ["other JSON", { ok: 1 }, "unavailable"],
  ["no response", null, "unavailable"],
  ["a test key on a real host", TESTED, "failed"],
])("%s", (_, response, verdict) => {
  expect(readVerdict(response, EXPECTED)).toBe(verdict);
});

test("Cloudflare's test keys pass in local development", () => {
  expect(readVerdict(TESTED, { hostname: "localhost", action: "quote" })).toBe("passed");
});

test("a request and its token always have the same key, and others have another", () => {
  const key = idempotencyKey("a", "token");
  expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(idempotencyKey("a", "token")).toBe(key);
  expect(idempotencyKey("b", "token")).not.toBe(key);
  expect(idempotencyKey("a", "another")).not.toBe(key);
});
