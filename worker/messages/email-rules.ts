/**
 * When emails are sent and given up, without I/O. All are factual (Spam Act 2003, Schedule 1, clause 2). They report
 * on the recipient's own request or account, and name the sender. docs/decisions has the reasons.
 */

/** Maximum emails a minute that strangers cause. Emails about accounts are limited where they are caused. */
export const EMAILS_A_MINUTE = 60;

/** Cloudflare's codes for an email that it will never take. Any other error may pass, or we can fix it. */
const NEVER =
  /^E_(RECIPIENT_SUPPRESSED|RECIPIENT_NOT_ALLOWED|VALIDATION_ERROR|FIELD_MISSING|CONTENT_TOO_LARGE|HEADER_\w+|TOO_MANY_RECIPIENTS)$/;
/** Its codes for taking no more emails at the moment. */
const BUSY = /^E_(RATE_LIMIT_EXCEEDED|DAILY_LIMIT_EXCEEDED)$/;

/** Classifies an error of the email service. `busy` applies to every message, not only to this one. */
export function meaningOf(error: unknown): { kind: "refused" | "busy" | "later"; code: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const kind = NEVER.test(code) ? "refused" : BUSY.test(code) ? "busy" : "later";
  return { kind, code: /^E_\w{1,60}$/.test(code) ? code : "" };
}
