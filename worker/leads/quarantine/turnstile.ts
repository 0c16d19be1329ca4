/** The only module that calls Cloudflare Turnstile. */
import type { LeadRequest } from "../../../contract/leads.ts";
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import { type ChallengeOutcome, MAX_TURNSTILE_TOKEN_LENGTH, readVerdict, uuidOf } from "./challenge-rules.ts";

/** Timeout per attempt. The visitor is waiting, so after two attempts an admin reviews the request. */
const ATTEMPT_TIMEOUT_MS = 2_000;
const MAX_ATTEMPTS = 2;

type VerifyRequest = { host: string; form: Record<string, string> };

async function verifyOnce({ host, form }: VerifyRequest): Promise<unknown> {
  const response = await fetch(`${host}/turnstile/v0/siteverify`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(form),
    signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
  });
  return response.json();
}

/**
 * Derives the idempotency key from the request, because Turnstile accepts a token only once. A resent request passes
 * again. Any other request with the same token fails.
 */
async function idempotencyKey(submissionId: string | undefined, token: string): Promise<string> {
  if (!submissionId) return crypto.randomUUID();
  const text = new TextEncoder().encode(`${submissionId} ${token}`);
  return uuidOf(await crypto.subtle.digest("SHA-256", text));
}

/**
 * Asks Turnstile whether a person sent a request.
 * @param sender the visitor's network address, the page's host and its form
 * @returns null while Turnstile is switched off; never throws
 */
export async function verifyWithTurnstile(
  context: Context,
  { turnstileToken: token, submissionId }: Pick<LeadRequest, "turnstileToken" | "submissionId">,
  sender: { address: string; hostname: string; form: string },
): Promise<ChallengeOutcome | null> {
  const { turnstile } = context.settings;
  if (!turnstile) return null;
  if (!token) return "missing";
  if (token.length > MAX_TURNSTILE_TOKEN_LENGTH) return "failed";
  const form = {
    secret: turnstile.secret,
    response: token,
    idempotency_key: await idempotencyKey(submissionId, token),
    ...(sender.address !== "local" && { remoteip: sender.address }),
  };
  const expected = { hostname: sender.hostname, action: sender.form };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      const result = await verifyOnce({ host: turnstile.host, form });
      const verdict = readVerdict(result, expected);
      if (verdict !== "unavailable") return verdict;
      log("warn", "turnstile_unclear", {
        attempt,
        codes: (result as { "error-codes"?: unknown })?.["error-codes"],
      });
    } catch (error) {
      log("warn", "turnstile_unclear", { attempt, error });
    }
  }
  log("error", "turnstile_unavailable");
  return "unavailable";
}
