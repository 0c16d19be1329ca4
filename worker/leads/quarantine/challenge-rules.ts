import * as z from "zod/mini";

/** Result of Cloudflare's check of a request. `unavailable`: Turnstile gave no usable verdict. */
export type ChallengeOutcome = "passed" | "missing" | "failed" | "unavailable";

/** The host and action that a token must be for. */
export type Expected = { hostname: string; action: string };

/** Maximum length of a Turnstile token. */
export const MAX_TURNSTILE_TOKEN_LENGTH = 2048;

const responseSchema = z.object({
  success: z.boolean(),
  "error-codes": z._default(z.array(z.string()), []),
  hostname: z.optional(z.string()),
  action: z.optional(z.string()),
  metadata: z.optional(z.object({ result_with_testing_key: z.optional(z.boolean()) })),
});

/** Error codes for wrong keys or an outage, which are not the visitor's fault. */
const CONFIG_ERROR_CODES = new Set([
  "missing-input-secret",
  "invalid-input-secret",
  "bad-request",
  "internal-error",
]);

const THIS_MACHINE = new Set(["localhost", "127.0.0.1"]);

/**
 * Reads siteverify's response.
 * @param response parsed JSON; null if there was no response
 */
export function readVerdict(response: unknown, expected: Expected): "passed" | "failed" | "unavailable" {
  const result = responseSchema.safeParse(response);
  if (!result.success) return "unavailable";
  const { success, hostname, action, metadata, "error-codes": codes } = result.data;
  if (!success) return codes.some((code) => CONFIG_ERROR_CODES.has(code)) ? "unavailable" : "failed";
  // Cloudflare's test keys pass every request and return no host. Accept them only in local development.
  if (metadata?.result_with_testing_key) return THIS_MACHINE.has(expected.hostname) ? "passed" : "failed";
  return hostname === expected.hostname && action === expected.action ? "passed" : "failed";
}

/**
 * Derives a UUID from a SHA-256 digest. The same digest always gives the same UUID.
 */
export function uuidOf(digest: ArrayBuffer): string {
  const hex = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // Set the version (4) and variant bits of a random UUID.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
