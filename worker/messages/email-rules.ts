/**
 * When emails are sent and given up, without I/O. All of them are factual (Spam Act 2003, Schedule 1, clause 2):
 * they say what became of the reader's own request or account, and who writes. docs/decisions has the reasons.
 */

/** Emails that strangers cause, within a minute; those about accounts are bounded where they are caused. */
export const EMAILS_A_MINUTE = 60;

/** What Cloudflare says of an email that it will never take. Everything else may pass, or be mended by us. */
const NEVER =
  /^E_(RECIPIENT_SUPPRESSED|RECIPIENT_NOT_ALLOWED|VALIDATION_ERROR|FIELD_MISSING|CONTENT_TOO_LARGE|HEADER_\w+|TOO_MANY_RECIPIENTS)$/;
/** What it says when it takes nothing more for the moment. */
const BUSY = /^E_(RATE_LIMIT_EXCEEDED|DAILY_LIMIT_EXCEEDED)$/;

/** What a failure of the email service means: `busy` is said of every message, not only of this one. */
export function meaningOf(error: unknown): { kind: "refused" | "busy" | "later"; code: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const kind = NEVER.test(code) ? "refused" : BUSY.test(code) ? "busy" : "later";
  return { kind, code: /^E_\w{1,60}$/.test(code) ? code : "" };
}
