/** The meaning of siteverify's responses. */
import { expect, test } from "vitest";

import { readVerdict, uuidOf } from "./challenge-rules.ts";

const EXPECTED = { hostname: "naturestrip.example", action: "quote" };
const GOOD = { success: true, "error-codes": [], ...EXPECTED };
const TESTED = { ...GOOD, hostname: "example.com", action: "", metadata: { result_with_testing_key: true } };

test.each<[string, unknown, "passed" | "failed" | "unavailable"]>([
  ["a token of this host and this form", GOOD, "passed"],
  ["a token of another site with our key", { ...GOOD, hostname: "elsewhere.example" }, "failed"],
  ["a token of another form", { ...GOOD, action: "booking" }, "failed"],
  ["a token that names no host", { success: true }, "failed"],
  ["a made-up token", { success: false, "error-codes": ["invalid-input-response"] }, "failed"],
  [
    "a token that is too old or was used",
    { success: false, "error-codes": ["timeout-or-duplicate"] },
    "failed",
  ],
  ["a no without a reason", { success: false }, "failed"],
  [
    "a secret of ours that is wrong",
    { success: false, "error-codes": ["invalid-input-secret"] },
    "unavailable",
  ],
  ["Turnstile unwell", { success: false, "error-codes": ["internal-error"] }, "unavailable"],
  ["something else in JSON", { ok: 1 }, "unavailable"],
  ["nothing", null, "unavailable"],
  ["a key for testing, on a real host", TESTED, "failed"],
])("%s", (_, answer, verdict) => {
  expect(readVerdict(answer, EXPECTED)).toBe(verdict);
});

test("Cloudflare's test keys pass in local development", () => {
  expect(readVerdict(TESTED, { hostname: "localhost", action: "quote" })).toBe("passed");
});

async function uuidFor(text: string): Promise<string> {
  return uuidOf(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

test("equal texts have the same UUID, and different texts do not", async () => {
  expect(await uuidFor("a")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await uuidFor("a")).toBe(await uuidFor("a"));
  expect(await uuidFor("a")).not.toBe(await uuidFor("b"));
});
