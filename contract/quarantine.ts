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
  impossible_phone: "Phone number doesn't exist",
  honeypot: "Filled in a hidden field",
  too_fast: "Sent too fast to be typed",
  many_from_address: "Many requests from one network address",
  start_reused: "Same timestamp as another request",
  challenge_missing: "Sent without Cloudflare's check, as if JavaScript were off",
  challenge_failed: "Failed Cloudflare's check",
  challenge_unavailable: "Cloudflare's check didn't respond",
  not_our_form: "Didn't come from one of our forms",
  no_script: "Sent with JavaScript off",
  program: "Sent by a program, not a browser",
  abroad: "Sent from outside Australia",
  hidden_network: "Sent from a data centre or through a network that hides the sender",
  others_from_network: "Other people on the same network sent requests within a day",
  alike_from_network: "Very similar to another person's request from the same network",
  copied_text: "Nearly the same wording as another person's request",
  phone_series: "Phone number follows on from another request's",
  phone_of_another: "Phone number or email used before under another name",
  made_up_phone: "Phone number looks made up",
  made_up_words: "Name, address or message looks made up",
  busy_suburb: "Far more requests for this suburb than usual",
  no_such_place: "No suburb we know in the address",
  link: "Message contains a link",
  throwaway_email: "Throwaway email address",
  impossible_answers: "A mix of answers that our forms can't send",
};

/**
 * Body of POST /api/super-admin/leads/{id}/release: `redactedAt` of the lead that the admin read. The server responds 409
 * if its customer has changed it since.
 */
export const releaseLeadSchema = z.object({
  redactedAt: z.nullable(z.int("Please reload the page")),
});

/** Body of POST /api/super-admin/leads/{id}/drop. */
export const dropLeadSchema = z.object({
  reason: z.optional(z.nullable(z.string().check(z.trim(), maxCharacters(500)))),
});
