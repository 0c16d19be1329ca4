/** The only module that calls Cloudflare Turnstile. */
import { createHash } from "node:crypto";
import * as z from "zod/mini";

import type { LeadRequest } from "../../../contract/leads.ts";
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import type { ChallengeOutcome } from "./sign-rules.ts";

/** Timeout per attempt. The visitor is waiting, so after two attempts an admin reviews the request. */
const ATTEMPT_TIMEOUT_MS = 2_000;
const MAX_ATTEMPTS = 2;
const MAX_TOKEN_LENGTH = 2048;

const responseSchema = z.object({
  success: z.boolean(),
  "error-codes": z._default(z.array(z.string()), []),
  hostname: z.optional(z.string()),
  action: z.optional(z.string()),
  metadata: z.optional(z.object({ result_with_testing_key: z.optional(z.boolean()) })),
});

/** Error codes for wrong keys or an outage, which are not the visitor's fault. */
const OUR_FAULT = /^(?:missing-input-secret|invalid-input-secret|bad-request|internal-error)$/;
const THIS_MACHINE = new Set(["localhost", "127.0.0.1"]);

/**
 * Reads siteverify's response.
 * @param response parsed JSON; null if there was no response
 * @param expected the host and action that the token must be for
 */
export function readVerdict(
  response: unknown,
  expected: { hostname: string; action: string },
): Exclude<ChallengeOutcome, "missing"> {
  const result = responseSchema.safeParse(response);
  if (!result.success) return "unavailable";
  const { success, hostname, action, metadata, "error-codes": codes } = result.data;
  if (!success) return codes.some((code) => OUR_FAULT.test(code)) ? "unavailable" : "failed";
  // Cloudflare's test keys pass every request and return no host. Accept them only in local development.
  const isOurs = metadata?.result_with_testing_key
    ? THIS_MACHINE.has(expected.hostname)
    : hostname === expected.hostname && action === expected.action;
  return isOurs ? "passed" : "failed";
}

/**
 * Derives the idempotency key, a UUID, from the request, because Turnstile accepts a token only once. A resent request
 * passes again. Any other request with the same token fails.
 */
export function idempotencyKey(submissionId: string | undefined, token: string): string {
  if (!submissionId) return crypto.randomUUID();
  const hex = createHash("sha256").update(`${submissionId} ${token}`).digest("hex");
  // Set the version (4) and variant bits of a random UUID.
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-4$3-a$4-$5");
}

/**
 * Asks Turnstile whether a person sent a request.
 * @param sender the visitor's network address, the page's host and its form
 * @returns null while Turnstile is switched off; never throws
 */
export async function verifyWithTurnstile(
  { settings: { turnstile } }: Context,
  { turnstileToken: token, submissionId }: Pick<LeadRequest, "turnstileToken" | "submissionId">,
  sender: { address: string; hostname: string; form: string },
): Promise<ChallengeOutcome | null> {
  if (!turnstile) return null;
  if (!token) return "missing";
  if (token.length > MAX_TOKEN_LENGTH) return "failed";
  const body = JSON.stringify({
    secret: turnstile.secret,
    response: token,
    idempotency_key: idempotencyKey(submissionId, token),
    ...(sender.address !== "local" && { remoteip: sender.address }),
  });
  const expected = { hostname: sender.hostname, action: sender.form };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      const headers = { "Content-Type": "application/json" };
      const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
      const url = `${turnstile.host}/turnstile/v0/siteverify`;
      const result = await (await fetch(url, { method: "POST", headers, body, signal })).json();
      const verdict = readVerdict(result, expected);
      if (verdict !== "unavailable") return verdict;
      const codes = (result as { "error-codes"?: unknown })?.["error-codes"];
      log("warn", "turnstile_unclear", { attempt, codes });
    } catch (error) {
      log("warn", "turnstile_unclear", { attempt, error });
    }
  }
  log("error", "turnstile_unavailable");
  return "unavailable";
}
