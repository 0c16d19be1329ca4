import type * as z from "zod/mini";

/** Every error of the API. Screens choose their text by code, never by matching messages. */
export const PROBLEMS = {
  invalid_input: { status: 400, title: "Some fields need another look" },
  invalid_signature: { status: 400, title: "Not signed by Stripe" },
  malformed_json: { status: 400, title: "The body is not JSON" },
  malformed_form: { status: 400, title: "We couldn't read the form" },
  body_incomplete: { status: 400, title: "The request ended before its body did" },
  card_declined: { status: 402, title: "The card was declined" },
  unauthenticated: { status: 401, title: "Sign in first" },
  invalid_credentials: { status: 401, title: "Invalid username or password" },
  passkey_refused: { status: 401, title: "That passkey wasn't accepted" },
  wrong_code: { status: 401, title: "That recovery code isn't right" },
  forbidden: { status: 403, title: "Not allowed" },
  not_verified: { status: 403, title: "Your business isn't verified yet" },
  impersonating: { status: 403, title: "You can't do this while impersonating" },
  confirm_needed: { status: 403, title: "Please confirm it's you" },
  passkey_needed: { status: 403, title: "This needs your passkey" },
  must_change_password: { status: 403, title: "Choose a password of your own first" },
  foreign_origin: { status: 403, title: "Request from another site" },
  not_found: { status: 404, title: "Not found" },
  lead_not_found: { status: 404, title: "Lead not found" },
  not_impersonating: { status: 409, title: "You aren't impersonating anyone" },
  lead_taken: { status: 409, title: "Another provider got in first" },
  lead_held: { status: 409, title: "Someone is paying for this lead" },
  lead_changed: { status: 409, title: "This lead has changed" },
  lead_closed: { status: 409, title: "This lead is off the market" },
  price_changed: { status: 409, title: "The price has changed" },
  too_many_holds: { status: 409, title: "You already have two open purchases" },
  newcomer_limit: { status: 409, title: "New providers have reached their limit for now" },
  open_purchase: { status: 409, title: "You're buying a lead" },
  hold_waiting: { status: 409, title: "Please wait before trying this lead again" },
  hold_ended: { status: 409, title: "Time's up" },
  bad_lead_not_bought: { status: 409, title: "You didn't buy this lead" },
  bad_lead_too_late: { status: 409, title: "It's too late to report this lead" },
  bad_lead_reported: { status: 409, title: "Already reported" },
  bad_lead_answered: { status: 409, title: "Already answered" },
  not_contestable: { status: 409, title: "You can't contest this" },
  no_credit: { status: 409, title: "No free claims left" },
  claim_under_way: { status: 409, title: "This lead is being claimed right now" },
  own_request: { status: 409, title: "This is your own request" },
  already_bought: { status: 409, title: "This lead is already yours" },
  username_taken: { status: 409, title: "Username already exists" },
  email_taken: { status: 409, title: "Email already registered" },
  not_refundable: { status: 409, title: "This payment can't be refunded" },
  purchase_closed: { status: 409, title: "This lead is closed" },
  stage_changed: { status: 409, title: "Someone has already moved this lead" },
  check_decided: { status: 409, title: "Already decided" },
  changed_since: { status: 409, title: "Someone has already changed this" },
  notes_conflict: { status: 409, title: "Someone on your team changed these notes" },
  passkey_known: { status: 409, title: "This passkey is already in use" },
  last_passkey: { status: 409, title: "Super admins need a passkey" },
  too_many_passkeys: { status: 409, title: "Too many passkeys" },
  sign_in_ended: { status: 410, title: "That took too long" },
  link_ended: { status: 410, title: "This link no longer works" },
  payload_too_large: { status: 413, title: "The request is too large" },
  photo_refused: { status: 422, title: "We can't use this photo" },
  too_many_photos: { status: 409, title: "That's all the photos we can take" },
  unsupported_media_type: { status: 415, title: "Send JSON" },
  wrong_host: { status: 421, title: "Not the address of this site" },
  key_reused: { status: 422, title: "This Idempotency-Key belongs to another lead" },
  upgrade_required: { status: 426, title: "This address only takes WebSocket" },
  too_many_requests: { status: 429, title: "Too many attempts" },
  internal: { status: 500, title: "Something went wrong on our side" },
  payment_failed: { status: 502, title: "We couldn't start the payment" },
  too_busy: { status: 503, title: "Too many people at once" },
  exchange_unavailable: { status: 503, title: "The market is briefly unavailable" },
  region_paused: { status: 503, title: "This region is paused for now" },
  details_delayed: { status: 503, title: "The lead is yours. Details to follow" },
  push_unavailable: { status: 503, title: "Notifications aren't set up here yet" },
  bank_details_unavailable: { status: 503, title: "Bank details can't be saved yet" },
  email_unavailable: { status: 503, title: "We can't send email yet" },
  payments_unavailable: { status: 503, title: "Card payments aren't set up" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Body of every error response: RFC 9457 with our own `code`, `requestId` and `errors` by field. */
export type Problem = {
  type?: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  requestId?: string;
  errors?: FieldErrors;
  /** With `notes_conflict`: the current notes and their author. */
  notes?: { text: string; version: number; by: string | null };
};

/**
 * Reads an error response. Every page needs this. It uses no schema, so that zod stays out of the initial bundle.
 * @returns null when it is not one of our errors
 */
export function readProblem(answer: unknown): Problem | null {
  const { detail, code, errors, ...rest } = Object(answer) as Problem;
  if (typeof detail !== "string" || typeof code !== "string") return null;
  if (!errors) return { ...rest, detail, code };
  const texts = Object.entries(errors).filter(([, text]) => typeof text === "string");
  return { ...rest, detail, code, errors: Object.fromEntries(texts) };
}

export type FieldErrors = Record<string, string>;

/**
 * Returns the first message of each invalid field.
 * @param issues the issues of a zod error
 * @returns messages by field name; nested fields are joined with dots, the whole object is ""
 */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const path = issue.code === "unrecognized_keys" ? issue.keys.join(", ") : issue.path.join(".");
    errors[path] ??= issue.message;
  }
  return errors;
}
