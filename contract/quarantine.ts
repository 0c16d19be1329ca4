import * as z from "zod/mini";

import { maxCharacters } from "./text-fields.ts";

/** Reasons for quarantining a visitor's request. */
export const QUARANTINE_REASONS = [
  "duplicate",
  "impossible_phone",
  "honeypot",
  "too_fast",
  "many_from_address",
  "start_reused",
  "challenge_missing",
  "challenge_failed",
  "challenge_unavailable",
  "not_our_form",
  "no_script",
  "program",
  "abroad",
  "hidden_network",
  "others_from_network",
  "alike_from_network",
  "copied_text",
  "phone_series",
  "phone_of_another",
  "made_up_phone",
  "made_up_words",
  "busy_suburb",
  "no_such_place",
  "link",
  "throwaway_email",
  "impossible_answers",
] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

export const QUARANTINE_LABELS: Record<QuarantineReason, string> = {
  duplicate: "Same person, place and service as another request",
  impossible_phone: "No such phone number",
  honeypot: "Filled in a hidden field",
  too_fast: "Sent too fast to be typed",
  many_from_address: "Many requests from one network address",
  start_reused: "Sent with the time stamp of another request",
  challenge_missing: "Sent without Cloudflare's check, as a browser without script does",
  challenge_failed: "Failed Cloudflare's check",
  challenge_unavailable: "Cloudflare's check did not answer",
  not_our_form: "Didn't come from one of our forms",
  no_script: "Sent without script",
  program: "Sent by a program, not a browser",
  abroad: "Sent from outside Australia",
  hidden_network: "Sent from a data centre or through a network that hides its sender",
  others_from_network: "Other people asked from the same network within a day",
  alike_from_network: "Much like another person's request from the same network",
  copied_text: "Nearly the same words as in another person's request",
  phone_series: "Its phone number follows on from another request's",
  phone_of_another: "Its phone number or email was used under another name before",
  made_up_phone: "A phone number that looks made up",
  made_up_words: "A name, an address or words that look made up",
  busy_suburb: "Far more requests for this suburb than usual",
  no_such_place: "The address names no suburb we know",
  link: "The text contains a link",
  throwaway_email: "An email address from a throwaway service",
  impossible_answers: "Answers that none of our forms can send together",
};

/** Body of POST /api/super-admin/leads/{id}/drop. */
export const dropLeadSchema = z.object({
  reason: z.optional(z.nullable(z.string().check(z.trim(), maxCharacters(500, "At most 500 characters")))),
});
