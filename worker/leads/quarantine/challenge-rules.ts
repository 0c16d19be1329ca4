import * as z from "zod/mini";

/** How Cloudflare's check of a request ended. `unavailable`: nobody could say. */
export type ChallengeOutcome = "passed" | "missing" | "failed" | "unavailable";

/** What a token must have been made for. */
export type Expected = { hostname: string; action: string };

/** Longer ones are none of Turnstile's. */
export const LONGEST_TOKEN = 2048;

const answerSchema = z.object({
  success: z.boolean(),
  "error-codes": z._default(z.array(z.string()), []),
  hostname: z.optional(z.string()),
  action: z.optional(z.string()),
  metadata: z.optional(z.object({ result_with_testing_key: z.optional(z.boolean()) })),
});

/** Our keys are wrong, or Turnstile is unwell: nothing against whoever sent the request. */
const NOT_THE_VISITOR = new Set([
  "missing-input-secret",
  "invalid-input-secret",
  "bad-request",
  "internal-error",
]);

const THIS_MACHINE = new Set(["localhost", "127.0.0.1"]);

/**
 * What an answer of siteverify says about a request.
 * @param answer parsed JSON; null when none came
 */
export function readVerdict(answer: unknown, expected: Expected): "passed" | "failed" | "unavailable" {
  const result = answerSchema.safeParse(answer);
  if (!result.success) return "unavailable";
  const { success, hostname, action, metadata, "error-codes": codes } = result.data;
  if (!success) return codes.some((code) => NOT_THE_VISITOR.has(code)) ? "unavailable" : "failed";
  // Cloudflare's keys for testing pass everybody and name no host: good on the machine of a developer only.
  if (metadata?.result_with_testing_key) return THIS_MACHINE.has(expected.hostname) ? "passed" : "failed";
  return hostname === expected.hostname && action === expected.action ? "passed" : "failed";
}

/**
 * A UUID made of a text: the same text always has the same.
 * @param digest its SHA-256
 */
export function uuidOf(digest: ArrayBuffer): string {
  const hex = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // Version 4 and its variant, as a random one would carry.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
