/**
 * When emails are sent and given up, without I/O. All of them are factual (Spam Act 2003, Schedule 1, clause 2):
 * they say what became of the reader's own request or account, and who writes. docs/decisions has the reasons.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { EmailTemplate } from "./kinds.ts";

/** After so long an email is worth nothing, and is dropped. A link is asked for by somebody who waits. */
export const EMAIL_LIFETIME_MS: Readonly<Record<EmailTemplate, number>> = {
  request_received: 6 * HOUR_MS,
  request_taken: DAY_MS,
  request_withdrawn: DAY_MS,
  request_expired: 3 * DAY_MS,
  inspection_received: 6 * HOUR_MS,
  link_made_by_support: DAY_MS,
  link_made_by_owner: DAY_MS,
  passkey_added: 3 * DAY_MS,
  passkey_removed: 3 * DAY_MS,
  recovery_codes_renewed: 3 * DAY_MS,
  recovery_code_used: 3 * DAY_MS,
  email_changed: 3 * DAY_MS,
  bank_details_changed: 3 * DAY_MS,
  password_guessed: DAY_MS,
  new_sign_in: DAY_MS,
  password_link: 30 * MINUTE_MS,
  confirm_email: 30 * MINUTE_MS,
  address_in_use: 30 * MINUTE_MS,
  attention: DAY_MS,
  // At most: it is dropped with its card's last month.
  card_expiring: 31 * DAY_MS,
};

/** So many of a kind go to one address in a day: whoever fills in a form may write any address into it. */
export const MOST_OF_A_KIND = 3;

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
